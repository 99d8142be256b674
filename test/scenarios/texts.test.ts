// What the scenarios promise that are about texts: scripts and templates.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Reply } from '../../src/core/protocol/call.ts';
import type { Policy, Run } from '../../src/index.ts';
import { openGateway } from '../support/open-gateway.ts';
import { renderOf, runsOf } from '../support/scenario-calls.ts';

const contentsOf = ({ body }: Reply): (string | undefined)[] => {
  const { data }: { data: { messages: { content?: string }[] } } = JSON.parse(body ?? '');
  return data.messages.map(({ content }) => content);
};

describe('unicode', () => {
  const file = new URL('../../scenarios/unicode.yaml', import.meta.url);
  const written: {
    threads: Record<string, { runs: number; records?: Partial<Run>[] }>;
    policies: { records: Partial<Policy>[] };
  } = parse(readFileSync(file, 'utf8'));

  test('finds every thread by its id, which is not normalized', () => {
    const { getPage } = openGateway({ scenario: 'unicode' });
    for (const [id, { runs, records = [] }] of Object.entries(written.threads))
      expect([id, getPage(runsOf(id)).data.length]).toEqual([id, runs + records.length]);
    expect(getPage(runsOf('thread_caf\u00e9')).data).toHaveLength(10);
    expect(getPage(runsOf('thread_cafe\u0301')).data).toHaveLength(11);
  });

  test('keeps every text as it was written', () => {
    const { getPage, getJson } = openGateway({ scenario: 'unicode' });
    const { data } = getPage<Run>(runsOf('thread_unicode'));
    const metadata = Object.assign({}, ...data.map((run) => run.metadata));
    expect(metadata).toMatchObject({
      decomposed: 'cafe\u0301',
      invisible: 'a\u200bb\ufeffc\u00add',
      controls: 'tab\tnull\u0000bell\u0007',
      '\u{1f511}': '\u{1f6aa}',
    });
    for (const record of written.threads.thread_unicode?.records ?? [])
      expect(data.find(({ id }) => id === record.id)).toMatchObject(record);
    for (const record of written.policies.records)
      expect(getJson(`/policies/rate-limits/${record.id}`)).toMatchObject(record);
  });

  test('renders variables whose names look alike', () => {
    const { send } = openGateway({ scenario: 'unicode' });
    const variables = { 'caf\u00e9': 1, 'cafe\u0301': 2, '👩‍👩‍👧‍👦': 3, 𝒜: 4 };
    expect(contentsOf(send(renderOf('prompt_marks', variables)))).toEqual(['1|2|3|4']);
    const greeting = { 名前: '太郎', 会社: { 名: '商事' }, 絵文字: ['🚀', '👍🏽'] };
    expect(contentsOf(send(renderOf('prompt_挨拶', greeting)))).toEqual([
      'あなたは商事の担当者です。🙂',
      '太郎です。[🚀][👍🏽]',
    ]);
  });
});

describe('prompt-library', () => {
  const agent = { name: 'Ada' };
  type Rendering = [prompt: string, variables: object, contents: (string | undefined)[]];
  const renderings: Rendering[] = [
    ['prompt_missing_variable', { name: null }, ['Dear , about your order :']],
    ['prompt_verbatim', { value: '<"&{{value}}$1>' }, [`${'<"&{{value}}$1>|'.repeat(3)}$& $1 \\n`]],
    ['prompt_partials', { rule: 'be kind', agent }, ['Rules:\n  - be brief\n- be kind\nSigned, Ada']],
    ['prompt_partial_by_name', { tone: 'prompt_part_name', agent, question: 'Why?' }, ['Ada Why?']],
    ['prompt_tree', { name: 'a', children: [{ name: 'b', children: [] }] }, ['a (b)']],
    [
      'prompt_text',
      {
        name: '"Ada"',
        agent,
        examples: [{ question: 'a\\b?', answer: 'c' }],
        has_history: true,
        history: [{ role: 'user', content: 'before' }],
        question: 'Why?',
        weight: 2,
      },
      ['You help "Ada".\nSigned, Ada', 'a\\b?', 'c', 'before', 'Why?'],
    ],
    ['prompt_tools', { city: 'Bern', degrees: 7 }, ['How warm is it in Bern?', undefined, '7 degrees']],
    [
      'prompt_roles',
      { persona: 'kind', speaker: 'user', user: { id: 7 }, question: 'Why?' },
      ['You are kind.', '', undefined, 'Why?'],
    ],
    ['prompt_old_is_published', { text: 't' }, ['one t']],
    ['prompt@home', {}, ['at home']],
  ];

  test.each(renderings)('renders %s with %j', (prompt, variables, expected) => {
    const { send } = openGateway({ scenario: 'prompt-library' });
    expect(contentsOf(send(renderOf(prompt, variables)))).toEqual(expected);
  });

  test.each([
    ['prompt_recursive', 400, 'prompt_recursive@1 > prompt_recursive@1'],
    ['prompt_partial_missing', 400, 'Missing prompt partials: prompt_of_no_such_name'],
    ['prompt_text', 500, 'A comma is left over'],
  ])('refuses %s with %i: %s', (prompt, wanted, said) => {
    const variables = { has_history: true, history: [] };
    const { status, body } = openGateway({ scenario: 'prompt-library' }).send(renderOf(prompt, variables));
    expect(status).toBe(wanted);
    expect(body).toContain(said);
  });

  test('has a prompt with every parameter of the contract, of which stream stays behind', async () => {
    const { gateway, send } = openGateway({ scenario: 'prompt-library' });
    const stored = await gateway.records.prompts.get('prompt_every_parameter');
    const parameters = stored !== undefined && 'parameters' in stored ? stored.parameters : {};
    expect(Object.keys(parameters)).toHaveLength(22);
    const { stream: _, ...expected } = parameters;
    const { data } = JSON.parse(send(renderOf('prompt_every_parameter', { question: '?' })).body ?? '');
    expect(data).toEqual({ ...expected, messages: [{ role: 'user', content: '?' }] });
  });
});

import { expect, test } from 'vitest';
import { createGateway, type Scenario } from '../../../index.ts';
import { loadScenario } from '../../scenario/load.ts';
import { kinds } from '../../scenario/scenario-schema.ts';
import { World } from '../../world/world.ts';
import { warnOfPrompt } from './prompt-warnings.ts';

const recordsOf = (prompts: Scenario['prompts']) => createGateway({ scenario: { prompts } }).records.prompts;
const chat = {
  parameters: {},
  string: `[
    {"role":"system","content":"You help {{user.name}} of {{company}}. {{>rules}} {{>>tone}}"},
    {{#turns}}{"role":"user","content":"{{question}}"},{{/turns}}
    {{#has_history}}{{history}},{{/has_history}}
    {"role":"user","content":"{{#tags}}{{.}} {{/tags}}{{^tags}}none{{/tags}}"}
  ]`,
};
const rules = { parameters: {}, string: 'Be brief, {{user.title}}.' };

test('the variables of a prompt are those of its sections and partials, too, and its example renders', async () => {
  const prompts = recordsOf({ chat, rules });
  const { variables, partials, example, versions, warnings } = await prompts.describe('chat');
  expect({ variables, partials, versions, warnings }).toEqual({
    variables: 'user.name company user.title tone turns question has_history history tags'.split(' '),
    partials: ['rules', '>tone'],
    versions: [],
    warnings: [],
  });
  expect(await prompts.render('chat', example)).toEqual({
    messages: [
      {
        role: 'system',
        content: 'You help user.name of company. Be brief, user.title. Be brief, user.title.',
      },
      { role: 'user', content: 'Where do I start?' },
      { role: 'user', content: 'history' },
      { role: 'user', content: 'tags ' },
    ],
    missing: [],
  });
});

test('each version has its own variables, and slips in all versions are reported', async () => {
  const template = (content: string) => ({ parameters: {}, messages: [{ role: 'user', content }] });
  const prompts = recordsOf({
    p: {
      published: 1,
      versions: [
        { version: 1, labels: ['production'], ...template('{{a}} {{>none}}') },
        { version: 2, labels: [], ...template('{{b}} {{x|upper}}') },
      ],
    },
  });
  expect(await prompts.describe('p')).toMatchObject({
    variables: ['a'],
    partials: ['none'],
    versions: ['1 (production, published)', '2'],
    warnings: [
      expect.stringContaining('versions[0].messages[0].content: the partial {{>none}} does not exist'),
      expect.stringContaining('versions[1].messages[0].content: {{x|upper}} is not Mustache'),
    ],
  });
  expect(await prompts.describe('p@2')).toMatchObject({ variables: ['b', 'x|upper'] });
  await expect(prompts.describe('q')).rejects.toThrow('Failed to describe the prompt "q": no such prompt');
});

test.each(['prompt-library', 'default'] as const)(
  'the example of every prompt of %s renders, unless the prompt never does',
  async (scenario) => {
    const { prompts } = createGateway({ scenario }).records;
    const failed: string[] = [];
    for (const { id } of await prompts.list()) {
      const { example } = await prompts.describe(id);
      await prompts.render(id, example).catch(() => failed.push(id));
    }
    const never = [
      'prompt_partial_missing',
      'prompt_tree',
      'prompt_recursive',
      'prompt_circle',
      'prompt_circle_back',
    ];
    expect(failed).toEqual(scenario === 'default' ? [] : never);
  },
);

test.each([
  ['[{"role":"user","content":"{{a}}"}\n{"role":"user"}]', 'Comma', 35],
  ['[{"role":"user","content":{{#x}}y{{/x}} }]', 'Object value expected', 0],
])('a JSON text that renders to no JSON is a probable slip: %j', (string, words, at) => {
  const world = new World(kinds, loadScenario({ prompts: {} }).scenario);
  expect([...warnOfPrompt({ parameters: {}, string }, world)]).toEqual([
    { path: ['string'], at, message: expect.stringContaining(words) },
  ]);
});

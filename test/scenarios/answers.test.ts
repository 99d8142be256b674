// What the scenarios promise that are about keys, policies and switched assumptions.
import { describe, expect, test } from 'vitest';
import { openGateway, type SentCall } from '../support/open-gateway.ts';
import { betaHeader, checkpointsOf, renderOf, runsOf } from '../support/scenario-calls.ts';

const policyId = '11111111-1111-4111-8111-111111111111';

describe('locked-out', () => {
  const calls: Record<string, SentCall> = {
    render: renderOf('prompt_welcome', {}),
    policy: { path: `/policies/rate-limits/${policyId}` },
    runs: { path: runsOf('thread_locked') },
    batches: { path: '/batches' },
    checkpoints: { path: checkpointsOf('ftjob_locked') },
  };
  const ask = (apiKey: string | undefined, virtualKey: string | undefined) => {
    const { send } = openGateway({ scenario: 'locked-out' });
    const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
    const answers = Object.entries(calls).map(([name, call]) => {
      const { status, body } = send({ ...call, headers });
      const { error }: { error?: { code: string | null } } = JSON.parse(body ?? '');
      return [name, error?.code ? `${status} ${error.code}` : `${status}`];
    });
    return Object.fromEntries(answers);
  };
  const all = (answer: string) => Object.fromEntries(Object.keys(calls).map((name) => [name, answer]));
  const lists = (answer: string) => ({ runs: answer, batches: answer, checkpoints: answer });

  test.each([
    ['key-valid', all('200')],
    ['key-expired', all('401 01')],
    ['key-unknown', all('401 03')],
    [undefined, all('401 03')],
    ['key-prompts-only', { ...all('403 033'), render: '200' }],
    ['key-lists-only', { ...all('403 033'), ...lists('200') }],
    ['key-policies-only', { ...all('403 033'), policy: '200' }],
    ['key-nothing', all('403 033')],
  ])('the API key %s gets its answers', (key, expected) => {
    expect(ask(key, 'virtual-valid')).toEqual(expected);
  });

  test.each([['virtual-unknown'], [undefined]])('the virtual key %s is refused by the lists alone', (key) => {
    expect(ask('key-valid', key)).toEqual({ ...all('200'), ...lists('400') });
  });
});

test('archived-policies serves each policy under its own status alone, and has each type and unit', async () => {
  const { gateway, send } = openGateway({ scenario: 'archived-policies' });
  const policies = await gateway.records.policies.list();
  const kinds = new Set(policies.map(({ type, unit }) => `${type} ${unit}`));
  expect([policies.length, kinds.size]).toEqual([16, 6]);
  for (const { id, status } of policies) {
    const statuses = ['?status=active', '', '?status=archived'].map(
      (query) => send({ path: `/policies/rate-limits/${id}${query}` }).status,
    );
    expect([id, ...statuses]).toEqual(status === 'active' ? [id, 200, 200, 404] : [id, 404, 404, 200]);
    if (/^[ab]0000000/.test(id)) expect(status).toBe(id.startsWith('a') ? 'active' : 'archived');
  }
});

describe('the answers of', () => {
  const calls: Record<string, SentCall> = {
    'a run list without the beta header': { path: runsOf('thread_demo') },
    'an unknown parameter': { path: '/batches?colour=red' },
    'a limit of 101 checkpoints': { path: `${checkpointsOf('ftjob_demo')}?limit=101` },
    'an unknown cursor': { path: '/batches?after=batch_none' },
    'a missing variable': renderOf('prompt_welcome', {}),
    'an unknown thread': { path: runsOf('thread_none'), headers: betaHeader },
    'an unknown job': { path: checkpointsOf('ftjob_none') },
    'no virtual key': { headers: { 'x-gateway-virtual-key': undefined } },
    'another API key': { headers: { 'x-gateway-api-key': 'other' } },
    'a temperature that is a text': {
      path: '/prompts/prompt_welcome/render',
      body: { variables: {}, temperature: 'hot' },
    },
  };

  test.each([
    ['default', [200, 200, 200, 404, 200, 404, 404, 400, 200, 400]],
    ['strict-answers', [400, 400, 400, 400, 400, 404, 404, 400, 401, 400]],
    ['lenient-answers', [200, 200, 200, 200, 200, 200, 200, 200, 200, 200]],
  ] as const)('%s follow its assumptions', (name, expected) => {
    const { send } = openGateway({ scenario: name });
    const statuses = Object.entries(calls).map(([title, call]) => [title, send(call).status]);
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(Object.keys(calls).map((title, index) => [title, expected[index]])),
    );
  });

  test('lenient-answers leave out what does not apply, and end an empty page of runs with null', () => {
    const { getPage } = openGateway({ scenario: 'lenient-answers' });
    const { data } = getPage(`${runsOf('thread_demo')}?limit=100`);
    expect(data.flatMap((run) => Object.values(run)).filter((value) => value === null)).toEqual([]);
    expect(getPage(runsOf('thread_empty'))).toMatchObject({ first_id: null, last_id: null });
  });
});

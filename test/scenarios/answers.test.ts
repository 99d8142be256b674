// What the scenarios promise that are about keys, policies and switched assumptions.
import { describe, expect, test } from 'vitest';
import { checkpointsOf, type OpenScenario, openScenario, runsOf } from '../support/open-scenario.ts';

const policyId = '11111111-1111-4111-8111-111111111111';

describe('locked-out', () => {
  const calls: Record<string, [path: string, init: RequestInit]> = {
    render: ['/prompts/prompt_welcome/render', { method: 'POST', body: '{"variables":{}}' }],
    policy: [`/policies/rate-limits/${policyId}`, {}],
    runs: [runsOf('thread_locked'), {}],
    batches: ['/batches', {}],
    checkpoints: [checkpointsOf('ftjob_locked'), {}],
  };
  const ask = async (apiKey: string | undefined, virtualKey: string | undefined) => {
    const { call } = await openScenario('locked-out');
    const headers = {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { 'x-gateway-api-key': apiKey }),
      ...(virtualKey !== undefined && { 'x-gateway-virtual-key': virtualKey }),
    };
    const answers = Object.entries(calls).map(async ([name, [path, init]]) => {
      const response = await call(path, { ...init, headers });
      const { error }: { error?: { code: string | null } } = await response.json();
      return [name, error?.code ? `${response.status} ${error.code}` : `${response.status}`];
    });
    return Object.fromEntries(await Promise.all(answers));
  };
  const all = (answer: string) => ({
    render: answer,
    policy: answer,
    runs: answer,
    batches: answer,
    checkpoints: answer,
  });
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
  ])('the API key %s gets its answers', async (key, expected) => {
    expect(await ask(key, 'virtual-valid')).toEqual(expected);
  });

  test.each([['virtual-unknown'], [undefined]])(
    'the virtual key %s is refused by the lists alone',
    async (key) => {
      expect(await ask('key-valid', key)).toEqual({ ...all('200'), ...lists('400') });
    },
  );
});

test('archived-policies serves each policy under its own status alone, and has each type and unit', async () => {
  const { gateway, call } = await openScenario('archived-policies');
  const policies = await gateway.records.policies.list();
  const kinds = new Set(policies.map(({ type, unit }) => `${type} ${unit}`));
  expect([policies.length, kinds.size]).toEqual([16, 6]);
  for (const { id, status } of policies) {
    const answers = ['?status=active', '', '?status=archived'].map(
      async (query) => (await call(`/policies/rate-limits/${id}${query}`)).status,
    );
    expect([id, ...(await Promise.all(answers))]).toEqual(
      status === 'active' ? [id, 200, 200, 404] : [id, 404, 404, 200],
    );
    if (/^[ab]0000000/.test(id)) expect(status).toBe(id.startsWith('a') ? 'active' : 'archived');
  }
});

describe('the answers of', () => {
  const withoutBeta = { 'x-gateway-api-key': 'key-valid', 'x-gateway-virtual-key': 'virtual-valid' };
  const asks: Record<string, (opened: OpenScenario) => Promise<Response>> = {
    'a run list without the beta header': ({ call }) => call(runsOf('thread_demo'), { headers: withoutBeta }),
    'an unknown parameter': ({ call }) => call('/batches?colour=red'),
    'a limit of 101 checkpoints': ({ call }) => call(`${checkpointsOf('ftjob_demo')}?limit=101`),
    'an unknown cursor': ({ call }) => call('/batches?after=batch_none'),
    'a missing variable': ({ render }) => render('prompt_welcome', {}),
    'an unknown thread': ({ call }) => call(runsOf('thread_none')),
    'an unknown job': ({ call }) => call(checkpointsOf('ftjob_none')),
    'no virtual key': ({ call }) => call('/batches', { headers: { 'x-gateway-api-key': 'key-valid' } }),
    'another API key': ({ call }) =>
      call('/batches', { headers: { ...withoutBeta, 'x-gateway-api-key': 'other' } }),
    'a temperature that is a text': ({ call, headers }) =>
      call('/prompts/prompt_welcome/render', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"variables":{},"temperature":"hot"}',
      }),
  };

  test.each([
    ['default', [200, 200, 200, 404, 200, 404, 404, 400, 200, 400]],
    ['strict-answers', [400, 400, 400, 400, 400, 404, 404, 400, 401, 400]],
    ['lenient-answers', [200, 200, 200, 200, 200, 200, 200, 200, 200, 200]],
  ] as const)('%s are those that its assumptions say', async (name, expected) => {
    const opened = await openScenario(name);
    const statuses = Object.entries(asks).map(async ([title, ask]) => [title, (await ask(opened)).status]);
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual(
      Object.fromEntries(Object.keys(asks).map((title, index) => [title, expected[index]])),
    );
  });

  test('lenient-answers leave out what does not apply, and end an empty page of runs with null', async () => {
    const { getPage } = await openScenario('lenient-answers');
    const { data } = await getPage(`${runsOf('thread_demo')}?limit=100`);
    expect(data.flatMap((run) => Object.values(run)).filter((value) => value === null)).toEqual([]);
    expect(await getPage(runsOf('thread_empty'))).toMatchObject({ first_id: null, last_id: null });
  });
});

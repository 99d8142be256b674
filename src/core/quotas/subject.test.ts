import { describe, expect, test } from 'vitest';
import { openGateway, type SentCall } from '../../../test/support/open-gateway.ts';
import { policy, render, scenarioUnder } from '../../../test/support/quota-scenarios.ts';
import type { Policy } from '../operations/get-rate-limits-policy/types.ts';
import { groupValue, tokensOf } from './subject.ts';

const metadata = (value: unknown): SentCall => ({
  headers: { 'x-gateway-metadata': typeof value === 'string' ? value : JSON.stringify(value) },
});

const withHeader = (name: string, value: string | undefined): SentCall => ({
  headers: { [`x-gateway-${name}`]: value },
});

const withModel = (model: string): SentCall => ({
  path: '/prompts/echo/render',
  body: { variables: { text: 'x' }, model },
});

/** For each key, calls that have the value "here" for it, and calls that have another or none. */
const keysOfCalls: readonly (readonly [key: string, here: SentCall[], elsewhere: SentCall[]])[] = [
  ['api_key', [withHeader('api-key', 'here')], [{}, withHeader('api-key', 'Here')]],
  [
    'virtual_key',
    [withHeader('virtual-key', 'here')],
    [{}, { ...render('x'), ...withHeader('virtual-key', undefined) }],
  ],
  ['provider', [withHeader('provider', 'here')], [{}, withHeader('provider', 'there')]],
  ['config', [withHeader('config', 'here')], [{}, withHeader('provider', 'here')]],
  ['prompt', [{ path: '/prompts/here/render', body: { variables: {} } }], [render('here'), {}]],
  ['model', [withModel('here')], [render('here'), withModel('there'), {}]],
  [
    'metadata._user',
    [metadata({ _user: 'here' }), metadata({ other: 1, _user: 'here' })],
    [
      {},
      metadata({ _user: 'there' }),
      metadata({ user: 'here' }),
      metadata({ _user: null }),
      metadata('no JSON'),
      metadata('null'),
      metadata('"here"'),
      metadata(['here']),
    ],
  ],
  ['metadata.a.b', [metadata({ 'a.b': 'here' })], [metadata({ a: { b: 'here' } })]],
  ['metadata.constructor', [metadata({ constructor: 'here' })], [metadata({}), {}]],
  ['metadata.7', [metadata({ 7: 'here' })], [metadata(['here'])]],
];

const open = (given: Parameters<typeof policy>[1]) => {
  const scenario = scenarioUnder(policy(1, given));
  return openGateway({
    scenario: {
      ...scenario,
      prompts: { ...scenario.prompts, here: { messages: [{ role: 'user', content: 'x' }] } },
    },
  });
};

describe('a condition', () => {
  test.each(keysOfCalls)(
    'by %s limits the calls that have its value, and no other; a group has a limit of its own',
    (key, here, elsewhere) => {
      const limited = { value: 1, conditions: [{ key, value: 'here' }] };
      for (const call of here) {
        const { statuses } = open(limited);
        for (const other of elsewhere) expect(statuses(2, other)).toEqual([200, 200]); // and those cost nothing
        expect(statuses(2, call)).toEqual([200, 429]);
      }
      for (const policy of [{ group_by: [{ key }] }, { conditions: [{ key, value: '*' }] }])
        expect(open({ value: 1, ...policy }).statuses(2, here[0])).toEqual([200, 429]);
    },
  );

  test.each<[key: string, call?: SentCall]>([
    ['provider'],
    ['config'],
    ['prompt'],
    ['model'],
    ['metadata.a'],
    ['metadata.a', metadata({ b: 1 })],
    ['metadata.a', metadata({ a: null })],
  ])('by any %s, or a group by it, leaves out the calls without a value', (key, call) => {
    for (const policy of [{ group_by: [{ key }] }, { conditions: [{ key, value: '*' }] }])
      expect(open({ value: 1, ...policy }).statuses(2, call)).toEqual([200, 200]);
  });

  test('of several must all be true', () => {
    const { statuses } = open({
      conditions: [
        { key: 'provider', value: 'a' },
        { key: 'config', value: 'b' },
      ],
    });
    const headers = { 'x-gateway-provider': 'a' };
    expect(statuses(4, { headers })).toEqual([200, 200, 200, 200]);
    expect(statuses(4, { headers: { ...headers, 'x-gateway-config': 'b' } })).toEqual([200, 200, 200, 429]);
  });

  test.each(['workspace_id', 'organisation_id'] as const)(
    "by %s is true where it is the policy's own",
    (key) => {
      const value = 'aaaaaaaa-1111-4111-8111-111111111111';
      const others = 'bbbbbbbb-1111-4111-8111-111111111111';
      const lastOf = (its: string) =>
        open({ [key]: its, conditions: [{ key, value }] })
          .statuses(4)
          .at(-1);
      expect([lastOf(value), lastOf(others)]).toEqual([429, 200]);
    },
  );
});

test('a group by two keys differs in both, whatever the values are', () => {
  const { statuses } = open({ value: 1, group_by: [{ key: 'provider' }, { key: 'config' }] });
  const pairs = [
    ['a', 'b'],
    ['b', 'a'],
    ['a"', 'b'],
    ['a', '"b'],
    ['a","', 'b'],
    ['a', '","b'],
    ['ab', 'c'],
  ];
  const calls = pairs.map(([provider, config]) => ({
    headers: { 'x-gateway-provider': provider, 'x-gateway-config': config },
  }));
  for (const status of [200, 429]) for (const call of calls) expect(statuses(1, call)).toEqual([status]);
});

describe('the tokens of a render', () => {
  test.each([
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['😀😀😀😀', 1],
    ['👩‍👩‍👧', 2],
  ])('of %j are %i', (text, tokens) => {
    const { send } = openGateway({ scenario: scenarioUnder(policy(1, { type: 'tokens', value: 1000 })) });
    expect(send(render(text)).headers['x-ratelimit-remaining-tokens']).toBe(String(1000 - tokens));
  });

  test('count over all messages before they are rounded, and no name or role', () => {
    const { send } = open({ type: 'tokens', value: 1000 });
    const thrice = { path: '/prompts/thrice/render', body: { variables: {} } };
    expect(send(thrice).headers['x-ratelimit-remaining-tokens']).toBe('999');
  });

  test("are those of the messages that were sent, where these replace the template's", () => {
    const { send } = openGateway({ scenario: scenarioUnder(policy(1, { type: 'tokens', value: 1000 })) });
    const messages = [{ role: 'user', content: 'x'.repeat(40) }, { role: 'user' }];
    const call = { path: '/prompts/thrice/render', body: { variables: {}, messages } };
    expect(send(call).headers['x-ratelimit-remaining-tokens']).toBe('990');
  });

  test('are none for the lists, which a limit of tokens never stops', () => {
    const { send, statuses } = openGateway({
      scenario: scenarioUnder(policy(1, { type: 'tokens', value: 1 })),
    });
    expect(send(render('four')).status).toBe(200);
    for (const path of ['/batches', '/threads/thread_a/runs', '/fine_tuning/jobs/job_a/checkpoints'])
      expect(statuses(3, { path })).toEqual([200, 200, 200]);
    expect(send(render('')).status).toBe(200); // it takes none
    expect(send(render('x')).status).toBe(429);
    expect(send().headers['x-ratelimit-remaining-tokens']).toBe('0');
  });

  test.each([
    ['messages that are none', [null, 7, 'four', {}], 0],
    ['a content that is null', [{ content: null }], 0],
    ['a content of parts, which count as JSON', [{ content: [1, 2] }], 2],
  ])('of a lenient reply with %s are counted all the same', (_what, messages, tokens) => {
    expect(tokensOf({ header: () => undefined, apiKey: 'k', messages })).toBe(tokens);
  });
});

test('a long value is replaced by a fingerprint, since a world keeps many', () => {
  const subject = { header: () => undefined, apiKey: 'k', prompt: 'p'.repeat(201) };
  const any = {} as Policy; // no field of it is read
  expect(groupValue('prompt', subject, any)).toMatch(/^key_[0-9a-f]{16}$/);
  expect(groupValue('prompt', { ...subject, prompt: 'p'.repeat(200) }, any)).toHaveLength(200);
});

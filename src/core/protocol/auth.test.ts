import { describe, expect, test } from 'vitest';
import { createAssumptions } from '../assumptions/marking.ts';
import type { AssumptionChoices } from '../assumptions/table.ts';
import { apiKeyOf, checkApiKey, checkBetaHeader, checkVirtualKey, type Keys } from './auth.ts';
import { GatewayError } from './errors.ts';

type Headers = Readonly<Record<string, string>>;

const outcomeOf = (check: (header: (name: string) => string | undefined) => void, headers: Headers) => {
  try {
    check((name) => headers[name]);
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, message, code, param } = error.refusal;
    return [error.assumption, status, code ?? param, message];
  }
};

const assumeOf = (choices: AssumptionChoices) => createAssumptions(choices).forAnswer().assume;

describe('the API key', () => {
  const keys: Keys = {
    valid: ['good'],
    expired: ['old'],
    exhausted: ['poor'],
    limited: { few: ['listRuns', 'listBatches'], none: [], other: ['renderPrompt', 'listBatches'] },
  };
  const listed = { 'api-keys': 'listed' } as const;
  const check = (key: string | undefined, choices: AssumptionChoices = {}) =>
    outcomeOf(
      (header) => checkApiKey(header, keys, 'listRuns', assumeOf(choices)),
      key === undefined ? {} : { 'x-gateway-api-key': key },
    );
  const missing = [
    'missing-api-key',
    401,
    '03',
    'Invalid API Key: the header x-gateway-api-key is missing or empty. Send it with each call, as x-gateway-api-key: KEY.',
  ];
  const unknown = ['unknown-api-key', 401, '03', 'Invalid API Key'];
  const forbidden = (names: string) => [
    'forbidden-api-key',
    403,
    '033',
    `This API key may not call listRuns. It may call: ${names}.`,
  ];

  test.each([undefined, '', ' ', ', ', '\t,,'])('%j is missing', (key) => {
    expect(check(key)).toEqual(missing);
    expect(check(key, listed)).toEqual(missing);
  });

  test.each<[key: string, outcome: unknown, choices?: AssumptionChoices]>([
    ['any', undefined],
    ['any', unknown, listed],
    ['old', ['expired-api-key', 401, '01', 'Expired API Key']],
    ['poor', ['exhausted-api-key', 412, '04', 'The budget of this API key is used up.']],
    ['few', undefined, listed],
    ['none', forbidden('nothing')],
    ['other', forbidden('renderPrompt, listBatches')],
    ['toString', unknown, listed],
  ])('"%s" gives %j', (key, outcome, choices) => {
    expect(check(key, choices)).toEqual(outcome);
  });
});

test.each<[Headers, key: string]>([
  [{ authorization: 'Bearer token' }, 'token'],
  [{ authorization: 'bearer  token' }, 'token'],
  [{ authorization: 'Basic token' }, ''],
  [{ authorization: 'Bearer' }, ''],
  [{ authorization: 'Bearer token', 'x-gateway-api-key': ' , ' }, 'token'],
  [{ authorization: 'Bearer token', 'x-gateway-api-key': 'key' }, 'key'],
])('with bearer as API key, %j has the API key "%s"', (headers, key) => {
  const header = (name: string) => headers[name];
  expect(apiKeyOf(header, assumeOf({ bearer: 'api-key' }))).toBe(key);
  expect(apiKeyOf(header, assumeOf({}))).toBe(key === 'token' ? '' : key);
});

describe('the virtual key', () => {
  const check = (key: string | undefined, virtual: string[] | undefined, choices: AssumptionChoices = {}) =>
    outcomeOf(
      (header) => checkVirtualKey(header, { virtual }, assumeOf(choices)),
      key === undefined ? {} : { 'x-gateway-virtual-key': key },
    );
  const missing = [
    'missing-virtual-key',
    400,
    'x-gateway-virtual-key',
    'The header x-gateway-virtual-key is required: it names the provider credential to use. Send it with each call, as x-gateway-virtual-key: KEY.',
  ];
  const unknown = (key: string) => [
    'unknown-virtual-key',
    400,
    'x-gateway-virtual-key',
    `Following keys are not valid: ${key}`,
  ];

  test.each<[string | undefined, string[] | undefined, unknown, AssumptionChoices?]>([
    [undefined, undefined, missing],
    [', ', ['good'], missing],
    [undefined, ['good'], undefined, { 'missing-virtual-key': 'ignored' }],
    ['any', undefined, undefined],
    ['bad', ['good'], unknown('bad')],
    ['bad', ['good'], undefined, { 'unknown-virtual-key': 'ignored' }],
    ['x'.repeat(201), ['good'], unknown(`${'x'.repeat(200)}…`)],
  ])('"%s", if %j are accepted', (key, virtual, outcome, choices) => {
    expect(check(key, virtual, choices)).toEqual(outcome);
  });
});

test.each<[Headers, isAccepted: boolean]>([
  [{}, false],
  [{ 'x-gateway-provider': ' ' }, false],
  [{ 'x-gateway-provider': 'openai' }, true],
  [{ 'x-gateway-config': '{}' }, true],
  [{ 'x-gateway-config': '{}', 'x-gateway-virtual-key': 'bad' }, false],
])('where another header may stand in for the virtual key, %j is accepted: %s', (headers, isAccepted) => {
  const assume = assumeOf({ 'missing-virtual-key': 'stand-in' });
  const refusal = outcomeOf((header) => checkVirtualKey(header, { virtual: ['good'] }, assume), headers);
  expect(refusal === undefined).toBe(isAccepted);
});

test.each<[Headers, choice: 'accepted' | 'required', isServed: boolean]>([
  [{}, 'accepted', true],
  [{}, 'required', false],
  [{ 'openai-beta': 'assistants=v2' }, 'required', true],
  [{ 'vendor-beta': 'assistants=v2' }, 'required', true],
  [{ 'vendor-beta': 'assistants=v1', 'openai-beta': 'assistants=v2' }, 'required', false],
])('with the headers %j, where the beta header is %s', (headers, choice, isServed) => {
  const check = (header: (name: string) => string | undefined) =>
    checkBetaHeader(header, assumeOf({ 'beta-header': choice }));
  expect(outcomeOf(check, headers)).toEqual(
    isServed
      ? undefined
      : [
          'beta-header',
          400,
          'invalid_beta',
          "This list needs the header 'OpenAI-Beta: assistants=v2' (or 'Vendor-Beta: assistants=v2').",
        ],
  );
});

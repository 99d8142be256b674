// Which names are those of credentials, where their values are masked, and what is shown.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { entryOf } from '../../../test/support/journal-entry.ts';
import { volume } from '../../../test/support/settings.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { operations } from '../scenario/scenario-schema.ts';
import { createHideKeys, createIsCredential, isCredentialName, Mask, maskCredential } from './mask.ts';

const secret = 'hunter2-hunter3';
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Everywhere that a value may have a name. */
const places: Readonly<Record<string, (name: string, value: string) => Parameters<typeof entryOf>[0]>> = {
  'a header': (name, value) => ({ headers: () => ({ [name.toLowerCase()]: value }) }),
  'a query': (name, value) => ({ query: `limit=1&${encodeURIComponent(name)}=${encodeURIComponent(value)}` }),
  'a form': (name, value) => ({ body: bytesOf(`a=1&${name}=${encodeURIComponent(value)}&b=2`) }),
  'a URL in a header': (name, value) => ({
    headers: () => ({ referer: `https://a.test/?b=1&${name}=${value}#c` }),
  }),
  JSON: (name, value) => ({ body: bytesOf(JSON.stringify({ a: 1, [name]: value })) }),
  'a list in JSON': (name, value) => ({ body: bytesOf(JSON.stringify({ [name]: ['a', value, { b: 1 }] })) }),
  'a body that is cut': (name, value) => ({ body: bytesOf(`{"a":{"${name}":"${value}`) }),
};

const show = (call: Parameters<typeof entryOf>[0], reply = ''): string =>
  JSON.stringify(entryOf(call, { body: reply }).request);

const names = `
  authorization Proxy-Authorization authentication cookie set-cookie x-credential x-password passphrase x-passcode
  user_pass pwd client-secret clientSecret access_token x-auth-token csrf x-csrf-token xsrf X-XSRF code_verifier
  codeVerifier SAMLResponse client_assertion X-JWT dpop x-bearer x-signature x-amz-signature sig openid.sig x-hmac
  apikey api-key apiKey x-api-key x-goog-api-key accessKey private-key x-key key-id my_key_2 otp sid PHPSESSID
  x-session session_id auth x-auth-user x-gateway-api-key x-gateway-virtual-key x-gateway-config
`
  .trim()
  .split(/\s+/);

const inForms = ['code', 'assertion', 'ticket', 'pin', 'state', 'user[pin]'];

const shownNames = [
  ...['idempotency-key', 'keyboard', 'monkey', 'x-monkey-2', 'x-mock-session', 'x-request-id', 'traceparent'],
  ...['author', 'compass', 'design', 'promo_code'],
];

test.each(['header', 'form', 'json'] as const)('the names of credentials in a %s', (place) => {
  const isCredential = (name: string) =>
    isCredentialName(place === 'header' ? name.toLowerCase() : name, place);
  const isForm = place === 'form';
  const [masked, shown] = isForm
    ? [[...names, ...inForms, 'key'], shownNames]
    : [names, [...shownNames, ...inForms]];
  expect(masked.filter((name) => !isCredential(name))).toEqual([]);
  expect(shown.filter(isCredential)).toEqual([]);
  expect(createIsCredential(['X-Tenant'])('user[x-tenant]', place)).toBe(true);
  expect(createIsCredential(['X-Tenant'])('x-TENANT', place)).toBe(true);
});

describe.each(Object.entries(places))('in %s', (place, toCall) => {
  test.each(!place.includes('JSON') && /query|form|URL/.test(place) ? ['user[pwd]', 'code'] : ['sessionId'])(
    'the value of %s is masked, and so is the same value elsewhere in the request and its reply',
    (name) => {
      const call = { path: `/v1/${secret}`, ...toCall(name, secret) };
      const shown = show(call, `{"echo":"${secret}"}`);
      expect(shown).not.toContain(secret);
      expect(shown).toContain('"path":"/v1/***"');
      expect(shown).toContain('{\\"echo\\":\\"***\\"}');
    },
  );

  test('a long value ends in its last four characters, and a short one is masked only there', () => {
    expect(show(toCall('token', 'abcdefghijklmnop-wxyz'))).toContain('***wxyz');
    const shown = show({ path: '/v1/hunter', ...toCall('token', 'hunter') });
    expect(shown.match(/hunter/g)).toEqual(['hunter']);
    expect(shown).toContain('"path":"/v1/hunter"');
  });

  test('other values are shown', () => {
    expect(show(toCall('idempotency-key', secret))).toContain(secret);
  });
});

test('no field of the contract or of the error body is masked in JSON', () => {
  const schemas = operations.flatMap(({ contract }) => [
    contract.reply,
    ...('body' in contract ? [contract.body] : []),
  ]);
  const names = JSON.stringify([
    toErrorBody({ status: 400, message: '' }),
    ...schemas.map((schema) => z.toJSONSchema(schema, { unrepresentable: 'any' })),
  ]).match(/(?<=")\w+(?=":)/g);
  expect(names).toEqual(expect.arrayContaining(['code', 'key', 'max_tokens', 'errorCode']));
  expect(names?.filter((name) => isCredentialName(name, 'json'))).toEqual([]);
  const body = JSON.stringify({ error: { code: secret }, errors: { data: [{ code: secret }] } });
  expect(new Mask().body(body)).toBe(body);
});

test.each(['Bearer', 'basic'])('what follows %s is masked elsewhere, too', (scheme) => {
  const headers = () => ({ authorization: `${scheme} ${secret}` });
  expect(show({ path: `/v1/${secret}`, headers })).not.toContain(secret);
});

test('a credential is shown elsewhere in another form, such as a part of it', () => {
  const headers = () => ({ authorization: `Bearer ${secret}`, 'x-copy': secret.slice(0, -1) });
  expect(entryOf({ headers }).request.headers['x-copy']).toBe(secret.slice(0, -1));
});

test.each([
  ['a number', '{"otp": 12345678,"n":1}', '{"otp": "***","n":1}'],
  [
    'an object has names of its own',
    '{"token":{"type":"string","pwd":"x"}}',
    '{"token":{"type":"string","pwd":"***"}}',
  ],
  [
    'what follows a list',
    '{"api_keys":["a", {"b":"c"}, "d"],"e":"f"}',
    '{"api_keys":["***", {"b":"c"}, "***"],"e":"f"}',
  ],
  ['a value with escapes', '{"token":"a\\"b","c":"d\\\\"}', '{"token":"***","c":"d\\\\"}'],
  ['several documents', '{"pwd":"a"}\n{"pwd":"b"}', '{"pwd":"***"}\n{"pwd":"***"}'],
  ['a name with escapes is not decoded', '{"p\\u0077d":"abc"}', '{"p\\u0077d":"abc"}'],
  ['no JSON', '"\\', '"\\'],
  [
    'a form',
    'user[password]=a b&user%5Bpwd%5D=x&c=d&e&f=%zz',
    'user[password]=***&user%5Bpwd%5D=***&c=d&e&f=%zz',
  ],
  ['a value with a question mark', '{"a":"?sig=x?y&b=?z"}', '{"a":"?sig=***&b=?z"}'],
  ['a text', 'see https://h/?b=c&sig=x#id_token=y', 'see https://h/?b=c&sig=***#id_token=***'],
])('a body: %s', (_what, text, masked) => {
  expect(new Mask().body(text)).toBe(masked);
});

test('at most 50 values of a request are masked elsewhere, the longest first', () => {
  const mask = new Mask();
  for (let at = 0; at < 60; at += 1) mask.parameter('token', `value-number-${at}`);
  const hide = mask.createHide();
  expect(hide('value-number-4 value-number-49 value-number-50')).toBe('*** *** ***0');
  const other = new Mask();
  for (const value of ['abcdefgh', 'abcdefgh-ijkl']) other.parameter('token', value);
  expect(other.createHide()('abcdefgh-ijkl abcdefgh $&')).toBe('*** *** $&');
});

test('long values are masked elsewhere, also if they start alike', () => {
  const mask = new Mask();
  const values = ['a'.repeat(300), `${'b'.repeat(250)}(*`, `${'b'.repeat(250)}?.`];
  for (const value of values) mask.parameter('token', value);
  expect(mask.createHide()(`x${values.join('-')}y ${'b'.repeat(250)}`)).toBe(
    `x***aaaa-***-***y ${'b'.repeat(250)}`,
  );
});

test.each([
  ['x'.repeat(15), '***'],
  [`${'x'.repeat(12)}last`, '***last'],
  [`${'x'.repeat(12)}la"t`, '***'],
])('of the credential "%s" is shown %s', (value, shown) => {
  expect(maskCredential(value)).toBe(shown);
});

test('our own keys are masked as they are, and a short word stays', () => {
  const hide = createHideKeys(['sk-live&0123456789', 'k/3', '', 'any', undefined, '$&', 'abcdefgh']);
  expect(hide('xsk-live&0123456789x, k/3, any key, $&, abcdefgh')).toBe('x***x, ***, any key, ***, ***');
});

test.each<[what: string, unit: string, start?: string]>([
  ['open quotes', '"\\'],
  ['names', '"a":"'],
  ['fields', '"password":"x",', '{'],
  ['parameters', '&a[b]=c', 'a=b'],
])(
  'a text of very many %s is read, also if it would take hours by a square of its length',
  (_what, unit, start = '') => {
    const text = start + unit.repeat(volume(500_000, 20_000));
    const mask = new Mask();
    for (const masked of [mask.body(text), mask.form(text)]) expect(masked.length).toBeGreaterThan(0);
    mask.headers({ a: text });
  },
);

import { describe, expect, test, vi } from 'vitest';
import type { RawCall, Reply } from '../protocol/call.ts';
import { toEntry, toRecordedRequest, toRequestWithoutBodies } from './entry.ts';

const secret = 'hunter2-hunter3';
const basic = `Basic ${btoa(`ada:${secret}`)}`;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: string;
}

const entryOf = ({ headers = {}, query = '', body = '' }: Sent, reply: Partial<Reply> = {}) => {
  const call: RawCall = {
    method: 'POST',
    path: '/v1/batches',
    query,
    header: () => undefined,
    headers: () => headers,
    body: new TextEncoder().encode(body),
  };
  return toEntry(call, 0, {}, { status: 200, headers: {}, body: '', ...reply }, []);
};

describe('a credential is shown nowhere', () => {
  test.each<[what: string, sent: Sent]>([
    ['the password of a Basic header', { headers: { authorization: basic } }],
    ['a token in the query of a referer', { headers: { referer: `https://h/?a=b&token=${secret}` } }],
    ['a token in the query', { query: `token=${secret}` }],
    ['a list of keys', { body: `{"api_keys":["${secret}"]}` }],
    ['an object with a password', { body: `{"password":{"value":"${secret}"}}` }],
    ['a name with escapes', { body: `{"pass\\u0077ord":"${secret}"}` }],
    ['JSON in JSON', { body: `{"payload":"{\\"password\\":\\"${secret}\\"}"}` }],
    ['a form', { body: `user[password]=${secret}` }],
    [
      'a part of a multipart body',
      { body: `--x\r\nContent-Disposition: form-data; name="pwd"\r\n\r\n${secret}\r\n--x--` },
    ],
    ['a Bearer within a text', { body: `{"message":"use Authorization: Bearer ${secret}."}` }],
    ['a Basic within a text', { body: `{"message":"use Authorization: ${basic} now"}` }],
    ['the userinfo of a host', { headers: { host: `ada:${secret}@example.com:8080` } }],
    ['the userinfo of a URL', { headers: { 'x-target': `http://ada:${secret}@example.com/` } }],
  ])('%s', (_what, { headers = {}, query = '', body = '{}' }) => {
    const echo = `<${secret}> ${encodeURIComponent(secret)} ${btoa(`ada:${secret}!`)} ${btoa(secret)}`;
    const entry = entryOf(
      {
        headers: { ...headers, 'x-copy': echo },
        query: `${query}&copy=${encodeURIComponent(echo)}`,
        body: body.startsWith('{') ? `{"copy":${JSON.stringify(echo)},${body.slice(1)}` : body,
      },
      { headers: { 'x-copy': echo }, body: JSON.stringify({ echo }) },
    );
    for (const shown of [toRequestWithoutBodies(entry), toRecordedRequest(entry)]) {
      const text = JSON.stringify(shown);
      for (const form of [secret, btoa(secret).slice(0, -2), btoa(`ada:${secret}`).slice(0, -2)])
        expect(text).not.toContain(form);
      expect(text).toContain('<***>');
    }
  });
});

test('everyday words stay', () => {
  const body = JSON.stringify({
    variables: { password: 'any', question: 'any password of the customer?' },
    token: { type: 'string', description: 'The password of the customer, if any.' },
    note: 'Basic knowledge, Bearer authentication, Basic JavaScript and the user:name@example',
  });
  const { body: shown } = toRecordedRequest(
    entryOf({ body, headers: { accept: 'password of the customer' } }),
  );
  expect(JSON.parse(shown ?? '')).toEqual({
    ...JSON.parse(body),
    variables: { password: '***', question: 'any password of the customer?' },
    token: { type: '***', description: '***any.' },
  });
});

test('a query is decoded once, however many parameters it has', () => {
  const workOf = (count: number): number => {
    const query = Array.from({ length: count }, (_, at) => `p${at}=a%20${at}`).join('&');
    const entry = entryOf({ query, headers: { cookie: `a=${'0123456789'.repeat(10)}` } });
    const read = vi.spyOn(String.prototype, 'codePointAt');
    toRequestWithoutBodies(entry);
    const work = read.mock.calls.length;
    read.mockRestore();
    return work / query.length;
  };
  expect(workOf(1000)).toBeLessThan(6);
  expect(workOf(2000)).toBeLessThan(1.1 * workOf(1000));
});

test('the journal does not keep very many credentials that it found in a body', () => {
  const many = Array.from({ length: 1000 }, (_, at) => `${secret}${at % 500}`);
  const entry = entryOf({ body: JSON.stringify({ passwords: many }) });
  expect(toRequestWithoutBodies(entry).body).toBeNull();
  expect(entry.credentials).toEqual([]);
  expect(toRecordedRequest(entry).body).not.toContain(secret);
});

// No credential gets out of the journal, wherever a request or its answer has it.

import fc from 'fast-check';
import { getResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../test/support/open-gateway.ts';
import { tries } from '../../test/support/settings.ts';
import { keys } from '../../test/support/transports.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createHide, createHideKeys } from './mask.ts';

const scenario = {
  threads: { thread_a: { runs: 2 } },
  batches: 4,
  prompts: { greeting: { messages: [{ role: 'user', content: 'Hello {{name}}' }] } },
};

/** Calls a gateway past any transport, since some keys go through none. */
const call = async (
  { handlers }: Gateway,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<void> => {
  const request = new Request(`http://gateway.test/v1${path}`, {
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  });
  await getResponse([...handlers], request);
};

describe('credentials', () => {
  const scenarioWithKeys = { ...scenario, keys: { virtual: ['the-only-one'] } };

  /** Sends calls that show a key in every place that the mock might quote it from. */
  const journalOf = async (key: string): Promise<string> => {
    const { gateway } = openGateway({
      scenario: scenarioWithKeys,
      faults: [`listBatches header.x-gateway-api-key=${JSON.stringify(key)} query.hit=1: delay 1ms`],
    });
    const encoded = encodeURIComponent(key);
    const rest = { 'x-gateway-api-key': key, 'x-gateway-virtual-key': key };
    const headers = { ...rest, authorization: `Bearer ${key}`, cookie: `a=b; session=${key}`, 'x-copy': key };
    for (const path of [
      '/batches',
      `/batches?hit=1&api_key=${encoded}&${encoded}=1`,
      `/batches?limit=${encoded}`,
      `/threads/${encoded}/runs`,
      `/${encoded}/${encoded}`,
      `/policies/rate-limits/${encoded}`,
    ])
      await call(gateway, path, headers);
    await call(gateway, '/prompts/greeting/render', headers, JSON.stringify({ variables: { name: key } }));
    expect(await gateway.requests.count()).toBe(7);
    return JSON.stringify(await gateway.requests.list());
  };

  test('appear nowhere in the journal, whatever the key', async () => {
    const character = fc.oneof(
      fc.constantFrom(...'abcXYZ0189-_.~+/= "\\\'%&$<>{}()[]|^`#?:;,é'),
      fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    );
    // Shorter credentials are words, and a header value cannot start or end with a space.
    const key = fc
      .array(character, { minLength: 8, maxLength: 60 })
      .map((all) => all.join(''))
      .filter((text) => text === text.trim() && /[^.]/.test(text) && !/^[a-z-]+$/.test(text));
    await fc.assert(
      fc.asyncProperty(key, async (text) => {
        const reported = await journalOf(text);
        expect(reported).not.toContain(text);
        expect(reported).not.toContain(JSON.stringify(text).slice(1, -1));
        expect(reported).not.toContain(encodeURIComponent(text));
      }),
      tries(150),
    );
  });

  test.each([
    ['longer than an error quotes', `sk-${'0123456789'.repeat(40)}`],
    ['that needs JSON escapes', 'sk-"quoted"-\\back\\slashed-key'],
    ['that a replacement text would read', "sk-$&-$1-$$-$`-$'-0123456789-$&$&"],
    ['that a pattern would read', 'sk-.*+?^{}()$|[]\\/-0123'],
    ['of spaces and plus signs', 'sk one+two three+four'],
    ['of eight characters with a backslash', 'aaa!!aa\\'],
  ])('are hidden: a key %s', async (_what, key) => {
    const reported = await journalOf(key);
    expect(reported).not.toContain(key.slice(0, 40));
    expect(reported).not.toContain(JSON.stringify(key.slice(0, 40)).slice(1, -1));
    expect(reported).not.toContain(encodeURIComponent(key.slice(0, 40)));
    expect(() => JSON.parse(reported)).not.toThrow();
  });

  test.each(['a', 'e', '"', '\\', 'no', 'key', 'not', 'error', 'status', 'message', 'failure'])(
    'that are as short as "%s" leave the reply whole, but for the place that quotes them',
    async (key) => {
      const { gateway } = openGateway({ scenario: scenarioWithKeys });
      await call(gateway, '/batches', { ...keys, 'x-gateway-virtual-key': key });
      const [recorded] = await gateway.requests.list();
      const message = 'Following keys are not valid: ***';
      expect(JSON.parse(recorded?.reply?.body ?? '')).toEqual({
        success: false,
        status: 'failure',
        message,
        error: { message, type: 'invalid_request_error', param: 'x-gateway-virtual-key', code: null },
        data: { message, errorCode: 'AB01' },
      });
      expect(recorded).toMatchObject({ path: '/v1/batches', operation: 'listBatches' });
      expect(recorded?.reply?.headers['x-mock-assumptions']).toBe('unknown-virtual-key, error-body');
    },
  );

  test.each([
    'authorization',
    'proxy-authorization',
    'cookie',
    'x-api-key',
    'x-goog-api-key',
    'apikey',
    'x-auth-token',
    'x-amz-security-token',
    'x-client-secret',
  ])('are masked in the header %s', async (name) => {
    const { gateway } = openGateway({ scenario });
    const key = 'abcdefghijklmnop-wxyz';
    await call(gateway, '/batches', { ...keys, [name]: key });
    const [recorded] = await gateway.requests.list();
    expect(recorded?.headers[name]).toBe('***wxyz');
  });

  test('are in no message of a wait that was in vain', async () => {
    const { gateway } = openGateway({ scenario });
    await call(gateway, '/batches?key=test-virtual-key', keys);
    const waited = gateway.requests.wait({ operation: 'listRuns' }, { timeout: 1 });
    await expect(waited).rejects.toThrow(/^(?!.*test-virtual-key).*GET \/v1\/batches 200/s);
  });
});

describe('createHide', () => {
  const hide = createHide(['Bearer secret/key one', 'theme=dark; session=abcdefgh']);

  test.each([
    ['nothing of it', 'nothing of it'],
    ['<secret/key>', '<***>'],
    ['secret%2Fkey and secret%2fkey', '*** and ***'],
    ['%73ecret/key', '***'],
    ['Bearer+secret%2Fkey%20one', '***'],
    ['the secret', 'the secret'],
    ['dark themes', 'dark themes'],
    ['abcdefghabcdefgh, abcdefg', '******, abcdefg'],
    ['\\u0061bcdefgh', '***'],
    ['secret\\/key', '***'],
    ['secret&#47;key, secret&#x2F;key, secret&#047;key', '***, ***, ***'],
  ])('makes of "%s" the text "%s"', (text, hidden) => {
    expect(hide(text)).toBe(hidden);
  });

  test('leaves a text as it is where there is no credential, or only words', () => {
    for (const none of [[], [''], ['any'], ['test', 'Bearer any']])
      expect(createHide(none)('any test')).toBe('any test');
  });

  test('hides one that a text cuts short', () => {
    const key = 'sk-0123456789abcdefghijklmnop';
    expect(createHide([key])(`It is no key: ${key.slice(0, 20)}…`)).toBe('It is no key: ***mnop…');
  });
});

test('credentials are hidden where the texts are known, wherever they begin in them', () => {
  const character = fc.constantFrom(...'ab%2B+\\é/');
  const secret = fc.string({ unit: character, minLength: 8, maxLength: 24 });
  fc.assert(
    fc.property(secret, fc.string({ unit: character }), fc.boolean(), (value, before, inBase64) => {
      for (const text of [before + value, before + encodeURIComponent(value)])
        expect(createHide([value], [text], { inBase64 })(text)).toBe(createHide([value])(text));
    }),
    tries(500),
  );
});

test('a base64 form of a credential is hidden', () => {
  const text = `<${btoa('ada:secret/key')}> <${btoa('secret/key')}>`;
  expect(createHide(['Bearer secret/key'], [text])(text)).not.toMatch(/c2VjcmV0L2|NlY3JldC9r/);
});

describe('createHideKeys', () => {
  const hide = createHideKeys(['sk-live&0123456789', 'k/3', '', 'any', undefined]);

  test.each([
    ['sk-live&0123456789', '***'],
    ['xsk-live&amp;0123456789x', 'x***x'],
    ['sk-live\\u00260123456789', '***'],
    ['k/3, k%2f3, k\\/3, ok/3', '***, ***, ***, ok/3'],
    ['any key', 'any key'],
  ])(
    'makes of "%s" the text "%s": nothing is left of a long key, nor of a short one as a word',
    (text, hidden) => {
      expect(hide(text)).toBe(hidden);
    },
  );
});

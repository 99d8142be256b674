import { describe, expect, test } from 'vitest';
import { interceptGateway, openGateway } from '../support/open-gateway.ts';
import { describeTransports, keys } from '../support/transports.ts';

const scenario = { batches: 4, threads: { thread_a: { runs: 2 } } };
const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';

describeTransports('sessions', {}, ({ call, baseUrl }) => {
  const inSession = (name: string, path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${baseUrl().slice(0, -'/v1'.length)}/sessions/${name}/v1${path}`, { headers: keys, ...init });
  const withHeader = (name: string, path: string): Promise<Response> =>
    call(path, { headers: { ...keys, 'x-mock-session': name } });

  test('a base URL and a header name the same session, which every operation serves', async () => {
    for (const path of ['/batches', '/threads/thread_demo/runs', policy]) {
      const [byUrl, byHeader] = [await inSession('both', path), await withHeader('both', path)];
      expect([byUrl.status, byHeader.status]).toEqual([200, 200]);
      expect(await byHeader.text()).toBe(await byUrl.text());
      expect(byUrl.headers.get('x-mock-session')).toBe('both');
      expect(byHeader.headers.get('x-mock-session')).toBe('both');
    }
    const rendered = await inSession('both', '/prompts/prompt_welcome/render', {
      method: 'POST',
      headers: { ...keys, 'content-type': 'application/json' },
      body: JSON.stringify({ variables: { name: 'Ada' } }),
    });
    expect(rendered.status).toBe(200);
  });

  test('the base URL wins over the header, whatever that says', async () => {
    const reply = await inSession('by-url', '/batches', {
      headers: { ...keys, 'x-mock-session': 'no name' },
    });
    expect(reply.headers.get('x-mock-session')).toBe('by-url');
    expect(reply.status).toBe(200);
  });

  test.each(['', 'a%20b', '%zz'])(
    'the name "%s" in a base URL is refused, and makes no session',
    async (name) => {
      const reply = await inSession(name, '/batches');
      expect(reply.status).toBe(400);
      expect(reply.headers.get('x-mock-session')).toBeNull();
      expect([reply.headers.get('x-mock-world'), reply.headers.get('x-mock-world-new')]).toEqual([
        null,
        null,
      ]);
      const { error } = await reply.json();
      expect(error.message).toContain('1 to 64 letters, digits, dots, dashes or underscores');
      expect(error.param).toBe('x-mock-session');
    },
  );
});

describeTransports('required sessions', { requireSession: true }, ({ call, baseUrl }) => {
  test('a call that names none is refused in words that help, and one that names one is served', async () => {
    const leak = await call('/batches');
    expect(leak.status).toBe(400);
    expect((await leak.json()).error.message).toContain('/sessions/NAME/v1');
    expect((await call('/batches', { headers: { ...keys, 'x-mock-session': 'mine' } })).status).toBe(200);
    const url = `${baseUrl().slice(0, -'/v1'.length)}/sessions/mine/v1/batches`;
    expect((await fetch(url, { headers: keys })).status).toBe(200);
  });

  test("a browser's preflight is served, since it cannot name one", async () => {
    const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    expect((await call('/batches', { method: 'OPTIONS', headers })).status).toBe(204);
  });
});

describe('in process', () => {
  const listen = (baseUrl?: string) => interceptGateway({ scenario, baseUrl });
  const nameIn = async (url: string): Promise<string | null> =>
    (await fetch(url, { headers: keys })).headers.get('x-mock-session');

  test.each(['http://localhost:9', 'https://gateway.test/eu'])(
    'a session is found below any base URL: %s',
    async (root) => {
      listen();
      expect(await nameIn(`${root}/sessions/mine/v1/batches`)).toBe('mine');
      expect(await nameIn(`${root}/v1/batches`)).toBeNull();
      expect((await fetch(`${root}/sessions/no%20name/v1/batches`, { headers: keys })).status).toBe(400);
    },
  );

  test('below a base URL of its own, only its own sessions are served', async () => {
    listen('https://gateway.test/eu/v1');
    expect(await nameIn('https://gateway.test/eu/sessions/mine/v1/batches')).toBe('mine');
    expect((await fetch('https://gateway.test/eu/sessions/mine/v1/nothing', { headers: keys })).status).toBe(
      404,
    );
    await expect(fetch('https://gateway.test/sessions/mine/v1/batches')).rejects.toThrow();
    await expect(fetch('https://other.test/eu/sessions/mine/v1/batches')).rejects.toThrow();
  });
});

describe('sessions.create', () => {
  test('rejects invalid names, unknown sessions and invalid scenarios, says what is wrong, and creates nothing', async () => {
    const { gateway } = openGateway({ scenario });
    const { create } = gateway.sessions;
    await expect(create('no name')).rejects.toThrow('1 to 64 letters');
    await expect(create('a', { session: 'nobody' })).rejects.toThrow('The sessions are: default');
    await expect(create('a', { scenario: 'defualt' })).rejects.toThrow('Did you mean "default"?');
    await expect(create('a', { scenario: { batches: -1 } })).rejects.toThrow('batches');
    expect(await gateway.sessions.list()).toEqual(['default']);
    expect(() => gateway.session('no name')).toThrow('1 to 64 letters');
  });
});

test('at most 1000 sessions are kept unless an option says otherwise, and the default one is one of them', async () => {
  const { gateway, send } = openGateway({ scenario });
  for (let made = 0; made < 1100; made += 1) send({ path: '/batches', session: `s${made}` });
  const names = await gateway.sessions.list();
  expect(names).toHaveLength(1000);
  expect(names).toContain('default');
});

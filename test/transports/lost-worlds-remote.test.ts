// A control over HTTP stays with the world that it began with: it throws where another one answers.

import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { openListener } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const scenario = { batches: 3 };
const lost =
  /^The world of the session "mine" is lost.*records, faults, clock and journal.*connect again.*sessions\.create\("mine"\)/;

const start = (options: ServerOptions = {}): Promise<GatewayServer> => openServer({ scenario, ...options });

const open = async (options?: ServerOptions) => {
  const server = await start(options);
  return { server, mine: connect(server.url, { session: 'mine' }) };
};

/** Another server in the place of this one. */
const restart = async (server: GatewayServer): Promise<GatewayServer> => {
  await server.close();
  const again = await start({ port: Number(new URL(server.url).port) });
  // The connections of this process to the old one are gone once a call comes through.
  await expect.poll(() => fetch(`${again.adminUrl}/health`).then(({ ok }) => ok)).toBe(true);
  return again;
};

/** A proxy that sends each call to one of these servers in turn, and leaves some headers of the replies out. */
const openProxy = async (servers: readonly GatewayServer[], hidden: readonly string[] = []) => {
  let calls = 0;
  return openListener((request, response) => {
    calls += 1;
    void fetch(`${servers[calls % servers.length]?.url}${request.url}`).then(async (reply) => {
      const headers = [...reply.headers].filter(([name]) => !hidden.includes(name));
      response.writeHead(reply.status, Object.fromEntries(headers)).end(await reply.text());
    });
  });
};

describe('connect()', () => {
  test('goes on through all that is done to its world', async () => {
    const { mine, server } = await open();
    await mine.state.save();
    await mine.reset();
    await mine.scenario.load('empty');
    await mine.state.restore();
    await server.sessions.create('other');
    await mine.sessions.create('another');
    expect(await mine.records.batches.list()).toHaveLength(3);
  });

  test('goes on where it makes another session first of all, and then throws where its own was made anew', async () => {
    const { mine, server } = await open();
    await mine.sessions.create('another');
    await mine.clock.now();
    await mine.sessions.create('another');
    await mine.clock.now();
    await server.sessions.create('mine');
    await expect(mine.sessions.create('another')).rejects.toThrow(lost);
    await expect(mine.clock.now()).rejects.toThrow(lost);
  });

  test('throws where its session was deleted, and does not begin it again', async () => {
    const { mine, server } = await open();
    await mine.clock.now();
    await server.sessions.delete('mine');
    await expect(mine.clock.now()).rejects.toThrow(lost);
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('changes nothing in a world that took the place of its own', async () => {
    const { mine, server } = await open();
    await mine.clock.now();
    await server.sessions.create('mine');
    await expect(mine.clock.advance('1h')).rejects.toThrow(lost);
    expect(await server.session('mine').clock.now()).toEqual(await server.clock.now());
  });

  test('throws from each method once its server was restarted, before it changes what is not its own', async () => {
    const { mine, server } = await open();
    await mine.faults.add('listBatches: 503');
    const again = await restart(server);
    await expect(mine.requests.count()).rejects.toThrow(lost);
    await expect(mine.faults.add('listBatches: 500')).rejects.toThrow(lost);
    await expect(mine.sessions.create('other')).rejects.toThrow(lost);
    expect(await again.session('mine').faults.list()).toEqual([]);
    expect(await again.sessions.list()).toEqual(['default', 'mine']);
    expect(await connect(again.url, { session: 'mine' }).requests.count()).toBe(0);
  });

  test('throws where somebody else made its session anew', async () => {
    const { mine, server } = await open();
    await mine.clock.now();
    await server.sessions.create('mine');
    await expect(mine.clock.now()).rejects.toThrow(lost);
  });

  test('throws what the server says where its session was removed, also when somebody else made it again', async () => {
    const { mine, server } = await open({ maxSessions: 2 });
    await mine.clock.now();
    await server.sessions.create('other');
    await expect(mine.requests.count()).rejects.toThrow(
      'The session "mine" was removed: at most 2 sessions are kept',
    );
    await server.sessions.create('mine');
    await expect(mine.requests.count()).rejects.toThrow(lost);
  });

  test('begins afresh where it makes its own session anew, or deletes it', async () => {
    const { mine, server } = await open({ maxSessions: 2 });
    await mine.faults.add('listBatches: 503');
    await mine.sessions.create('mine');
    expect(await mine.faults.list()).toEqual([]);
    await mine.sessions.delete('mine');
    expect(await mine.faults.list()).toEqual([]);
    await server.sessions.create('other'); // which removes it
    await mine.sessions.create('mine');
    expect(await mine.faults.list()).toEqual([]);
    const again = await restart(server);
    await expect(mine.faults.list()).rejects.toThrow(lost);
    await mine.sessions.create('mine');
    expect(await mine.faults.list()).toEqual([]);
    await again.sessions.create('mine');
    await expect(mine.faults.list()).rejects.toThrow(lost);
  });

  test('begins with the world that its own sessions.create made, not with the next one that answers', async () => {
    const { mine, server } = await open();
    await mine.sessions.create('mine');
    await server.sessions.create('mine');
    await expect(mine.clock.now()).rejects.toThrow(lost);
  });

  test('stays with its world where it fails to make it anew', async () => {
    const { mine, server } = await open();
    await mine.clock.now();
    await expect(mine.sessions.create('mine', { scenario: 'defualt' })).rejects.toThrow('Did you mean');
    await mine.clock.now();
    await server.sessions.create('mine');
    await expect(mine.sessions.create('mine', { scenario: 'defualt' })).rejects.toThrow('Did you mean');
    await expect(mine.clock.now()).rejects.toThrow(lost);
  });

  test('is not misled by calls that overlap, the first ones and those around its own new beginning', async () => {
    const { mine } = await open();
    const ask = () => Array.from({ length: 10 }, () => mine.clock.now());
    await Promise.all(ask());
    const wait = expect(mine.requests.wait({}, { timeout: 100 })).rejects.toThrow('0 arrived within 100 ms');
    await Promise.all([...ask(), mine.sessions.create('mine'), ...ask()]);
    await wait;
    await mine.clock.now();
  });

  test('of the default session throws, too, where another server answers in turn', async () => {
    const control = connect(await openProxy([await start(), await start()]));
    await control.clock.now();
    await expect(control.clock.now()).rejects.toThrow('The world of the session "default" is lost');
  });

  test('goes on where a server names no world, as an older one', async () => {
    const { server } = await open();
    const control = connect(await openProxy([server], ['x-mock-world']), { session: 'mine' });
    await control.faults.add('listBatches: 503');
    await server.sessions.create('mine');
    expect(await control.faults.list()).toEqual([]);
  });
});

test('the headers of a reply show, too, that the server was restarted', async () => {
  const { server } = await open();
  const look = async (): Promise<(string | null)[]> => {
    const { headers } = await fetch(`${server.url}/sessions/mine/v1/batches`, { headers: keys });
    return [headers.get('x-mock-world'), headers.get('x-mock-world-new')];
  };
  const [first] = await look();
  expect(await look()).toEqual([first, null]);
  await restart(server);
  const [second, isNew] = await look();
  expect([second === first, isNew]).toEqual([false, 'yes']);
});

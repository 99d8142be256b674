// A control over HTTP belongs to the world that it began with, and waits for a server that restarts.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { openListener } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';

const scenario = { batches: 3 };
const lost =
  /^The world of the session "mine" is lost.*records, faults, clock and journal.*connect again.*sessions\.create\("mine"\)/;

const open = async (options?: ServerOptions) => {
  const server = await openServer({ scenario, ...options });
  return { server, mine: connect(server.url, { session: 'mine' }) };
};

/** Starts another server in the place of this one. */
const restart = async (server: GatewayServer): Promise<GatewayServer> => {
  await server.close();
  const again = await openServer({ scenario, port: Number(new URL(server.url).port) });
  // The connections of this process to the old one are gone once a call comes through.
  await expect.poll(() => fetch(`${again.adminUrl}/health`).then(({ ok }) => ok)).toBe(true);
  return again;
};

describe('the world of a control by connect()', () => {
  test('stays through all that is done to it and to other sessions', async () => {
    const { mine, server } = await open();
    await mine.sessions.create('another');
    await mine.state.save();
    await mine.reset();
    await mine.scenario.load('empty');
    await mine.state.restore();
    await server.sessions.create('other');
    await mine.sessions.create('another');
    expect(await mine.records.batches.list()).toHaveLength(3);
  });

  test.each<readonly [string, (server: GatewayServer) => Promise<unknown>, readonly string[]]>([
    ['somebody else created the session again', ({ sessions }) => sessions.create('mine'), ['mine']],
    ['somebody else deleted the session', ({ sessions }) => sessions.delete('mine'), []],
    ['the server was restarted', restart, []],
  ])('is lost if %s: each method throws, and changes nothing', async (_, lose, left) => {
    const { mine, server } = await open();
    await mine.faults.add('listBatches: 503');
    await lose(server);
    for (const call of [
      () => mine.requests.count(),
      () => mine.faults.add('listBatches: 500'),
      () => mine.sessions.create('other'),
      () => mine.clock.now(),
    ])
      await expect(call()).rejects.toThrow(lost);
    await expect(mine.reset()).rejects.toMatchObject({ name: 'LostWorldError' });
    expect(await connect(server.url).sessions.list()).toEqual(['default', ...left]);
    expect(await connect(server.url, { session: 'mine' }).faults.list()).toEqual([]);
    await mine.sessions.create('mine');
    expect(await mine.faults.list()).toEqual([]);
  });

  test('is lost if its session was removed: the server says why, until somebody else creates it again', async () => {
    const { mine, server } = await open({ maxSessions: 2 });
    await mine.clock.now();
    await server.sessions.create('other');
    await expect(mine.requests.count()).rejects.toThrow(
      'The session "mine" was removed: at most 2 sessions are kept',
    );
    await server.sessions.create('mine');
    await expect(mine.requests.count()).rejects.toThrow(lost);
  });

  test('is another after its own sessions.create or sessions.delete', async () => {
    const { mine, server } = await open();
    await mine.faults.add('listBatches: 503');
    await mine.sessions.create('mine');
    expect(await mine.faults.list()).toEqual([]);
    await mine.sessions.delete('mine');
    expect(await mine.faults.list()).toEqual([]);
    await mine.sessions.create('mine');
    await server.sessions.create('mine'); // before the next call
    await expect(mine.clock.now()).rejects.toThrow(lost);
  });

  test('is the same after its own sessions.create failed', async () => {
    const { mine, server } = await open();
    await mine.clock.now();
    const fail = () =>
      expect(mine.sessions.create('mine', { scenario: 'defualt' })).rejects.toThrow('Did you');
    await fail();
    await mine.clock.now();
    await server.sessions.create('mine');
    await fail();
    await expect(mine.withSignal(AbortSignal.abort()).sessions.create('mine')).rejects.toThrow('aborted');
    await expect(mine.clock.now()).rejects.toThrow(lost);
  });

  test('is not lost by calls that overlap with each other or with its own sessions.create', async () => {
    const { mine } = await open();
    const ask = () => Array.from({ length: 10 }, () => mine.clock.now());
    await Promise.all(ask());
    const wait = expect(mine.requests.wait({}, { timeout: 100 })).rejects.toThrow('Failed to wait for');
    await Promise.all([...ask(), mine.sessions.create('mine'), ...ask()]);
    await wait;
    await mine.clock.now();
    await Promise.all([...ask(), mine.sessions.delete('mine'), ...ask()]);
    await mine.clock.now();
  });

  test('is lost in the default session, too, if another server answers', async () => {
    const { server } = await open();
    const control = connect(server.url);
    await control.clock.now();
    await restart(server);
    await expect(control.clock.now()).rejects.toThrow('The world of the session "default" is lost');
  });
});

describe('a call by connect() that gets 503', () => {
  const ok = { status: 200, headers: { 'x-mock-admin': 'yes', 'content-type': 'application/json' } };
  const restarting = (seconds: string) => ({ status: 503, headers: { 'retry-after': seconds } });

  /** Opens a server that sends these replies, and the last one from then on. */
  const openScripted = async (...replies: { readonly status: number; readonly headers: object }[]) => {
    const calls: string[] = [];
    const url = await openListener(({ method, url: path }, response) => {
      const { status, headers } = replies[Math.min(calls.length, replies.length - 1)] ?? ok;
      calls.push(`${method} ${path}`);
      response.writeHead(status, { ...headers }).end('[]');
    });
    return { calls, control: connect(url, { session: 'mine' }) };
  };

  test('with retry-after is repeated until the server answers', async () => {
    const { calls, control } = await openScripted(restarting('0.01'), restarting('0.02'), ok);
    expect(await control.faults.add('listBatches: 503')).toEqual([]);
    expect(calls).toEqual(Array(3).fill('POST /sessions/mine/__admin/faults/add'));
  });

  test.each([undefined, '31'])('throws with the retry-after %s', async (seconds) => {
    const reply = seconds === undefined ? { status: 503, headers: {} } : restarting(seconds);
    const { calls, control } = await openScripted(reply);
    await expect(control.faults.list()).rejects.toThrow('answered 503');
    expect(calls).toHaveLength(1);
  });

  test('throws after 30 seconds, however often it was repeated', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const calls: unknown[] = [];
    const url = await openListener((_, response) => {
      calls.push(vi.advanceTimersByTime(12_000));
      response.writeHead(503, { 'retry-after': '0.01' }).end();
    });
    await expect(connect(url).faults.list()).rejects.toThrow('answered 503');
    expect(calls).toHaveLength(3);
  });

  test('is not repeated after its signal aborts', async () => {
    const { calls, control } = await openScripted(restarting('20'));
    const ended = new AbortController();
    const waiting = control.requests.wait({}, { signal: ended.signal });
    await expect.poll(() => calls).toHaveLength(1);
    ended.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(calls).toHaveLength(1);
  });
});

test('a control with a further signal still ends with its first one', async () => {
  const { server } = await open();
  const first = new AbortController();
  const control = connect(server.url, { signal: first.signal }).withSignal(new AbortController().signal);
  const waiting = control.requests.wait();
  first.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('a fetch that came later, as of an MSW server of the test, does not get the calls of a control', async () => {
  const { mine } = await open();
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const later of [undefined, () => Promise.reject(new Error('unhandled request'))]) {
    vi.stubGlobal('fetch', later);
    expect(await mine.records.batches.count()).toBe(3);
  }
});

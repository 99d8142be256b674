import { expect, onTestFinished, test, vi } from 'vitest';
import { ControlError } from '../../src/core/protocol/errors.ts';
import { adminMark } from '../../src/core/protocol/world-headers.ts';
import { ScenarioError } from '../../src/core/scenario/scenario-error.ts';
import { connect } from '../../src/service/client/connect.ts';
import { allCommands } from '../../src/service/control/control.ts';
import { openListener } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';

/** The method of a control by its name. */
const methodOf = (control: object, name: string): unknown =>
  name.split('.').reduce<unknown>((part, key) => Reflect.get(Object(part), key), control);

test('both controls have the same methods, and a control is no promise', async () => {
  const server = await openServer();
  const remote = connect(server.url);
  for (const { name } of allCommands)
    for (const control of [server, remote])
      expect([name, typeof methodOf(control, name)]).toEqual([name, 'function']);
  expect(await remote).toBe(remote);
  expect(JSON.stringify({ remote: remote.clock })).toBe('{}');
  expect(String(Reflect.get(remote.clock, Symbol.iterator))).toBe('undefined');
  // Whatever shows or compares it does not call the server.
  for (const part of [remote.clock, remote.clock.now]) expect(String(part)).toMatch(/^function/);
  expect(Object.keys({ ...remote })).toContain('clock');
  for (const name of ['hasAttribute', 'asymmetricMatch', 'inspect'])
    expect(Reflect.get(remote, name)).toBeUndefined();
});

test('a method that does not exist is refused, with the nearest one', async () => {
  const { url } = await openServer();
  const clock = connect(url).clock as unknown as Record<string, () => Promise<unknown>>;
  await expect(clock.advanec?.()).rejects.toThrow(
    'Unknown path /__admin/clock/advanec. Did you mean /__admin/clock/advance? All paths: GET /__admin/',
  );
  const { requests } = connect(url) as unknown as { requests: Record<string, () => Promise<unknown>> };
  await expect(requests.reset?.()).rejects.toThrow('Did you mean /__admin/requests/clear?');
});

test('more arguments than a method takes are ignored, as in afterEach(gateway.reset)', async () => {
  const server = await openServer();
  for (const { reset } of [server, connect(server.url)]) {
    const given: (...args: unknown[]) => Promise<unknown> = reset;
    expect(await given(() => {}, new Map())).toBeUndefined();
  }
  const ids = (await server.records.batches.list({ limit: 2 })).map(({ id }) => id);
  for (const { records } of [server, connect(server.url)])
    expect((await Promise.all(ids.map(records.batches.get))).map((batch) => batch?.id)).toEqual(ids);
});

test('an error has the same class and status both ways', async () => {
  const server = await openServer({ journal: 1 });
  for (let sent = 0; sent < 2; sent += 1) await fetch(`${server.baseUrl}/batches`);
  for (const control of [server, connect(server.url)]) {
    await expect(control.requests.count()).rejects.toMatchObject({ status: 410, constructor: ControlError });
    const scenarioError = await control.scenario.load({ seed: -1 }).catch((reason: unknown) => reason);
    expect(scenarioError).toBeInstanceOf(ScenarioError);
    expect(scenarioError).toHaveProperty('errors.0.path', ['seed']);
    await expect(control.clock.advance('soon')).rejects.toMatchObject({ constructor: Error });
  }
});

test('a fetch that a test mocks later is used neither for calls nor for events', async () => {
  const remote = connect((await openServer()).url);
  vi.stubGlobal('fetch', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  await remote.reset();
  const events = remote.events();
  expect((await events.next()).value).toMatchObject({ type: 'open' });
  await events.return();
});

test('a server that is away, or another one, is reported', async () => {
  const server = await openServer();
  const remote = connect(server.url);
  const overHttps = connect(server.url.replace('http:', 'https:'));
  await expect(overHttps.reset()).rejects.toThrow(
    /the server speaks HTTP\. Write http:\/\/ instead of https/,
  );
  await server.close();
  await expect(remote.reset()).rejects.toThrow(/Failed to reach .*ECONNREFUSED.*Is the server running, /);
  const other = connect(await openListener((_, response) => void response.end('[]')));
  await expect(other.reset()).rejects.toThrow(/answered 200\. Is it a gateway-mock\?/);
  const page = connect(
    await openListener((_, response) => void response.setHeader(adminMark, 'yes').end('<!doctype html>')),
  );
  await expect(page.reset()).rejects.toThrow(/ answered 200 without JSON/);
});

// Options that there are not: TypeScript refuses them; who writes JavaScript must hear of them, too.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createHttpTarget, runChecks } from '../../src/conformance.ts';
import { createGateway } from '../../src/index.ts';
import { setupGateway } from '../../src/node.ts';
import { startServer } from '../../src/server.ts';

/** As JavaScript may give them. */
const given = (options: unknown) => options as object;

describe('an option that there is not', () => {
  test.each([
    ['createGateway', () => createGateway(given({ scenaro: 'in-flight' }))],
    ['setupGateway', () => setupGateway(given({ scenaro: 'in-flight' }))],
    ['startServer', () => startServer(given({ scenaro: 'in-flight' }))],
  ])('is refused by %s, which suggests the nearest name', async (_entryPoint, open) => {
    await expect((async () => open())()).rejects.toThrow(
      /^Unknown option "scenaro"\. Did you mean "scenario"\? Known options: scenario, seed,/,
    );
  });

  test('is refused by connect, which would steer another world', () => {
    expect(() => connect('http://127.0.0.1:9', given({ sesion: 'checkout' }))).toThrow(
      'Unknown option "sesion". Did you mean "session"? Known options: session, token, signal.',
    );
  });

  test('is refused where a gateway is verified', async () => {
    const open = (options: object) =>
      createHttpTarget('http://127.0.0.1:9/v1', { apiKey: 'any' }, {}, options);
    expect(() => open({ timeOut: 1 })).toThrow('Unknown option "timeOut". Did you mean "timeout"?');
    await expect(runChecks(open({}), given({ maxCall: 1 }))).rejects.toThrow('Did you mean "maxCalls"?');
  });

  test('and a file that is to be a scenario, which is read first', () => {
    expect(() => createGateway(given({ scenario: './bug-17.yaml' }))).toThrow(
      'Failed to load the scenario "./bug-17.yaml": files are read by readScenario() of gateway-mock/node, or served by startServer().',
    );
  });

  test.each([
    ['scenarios', './mine'],
    ['faults', '*: 503'],
    ['adminHosts', 'mine'],
    ['handlers', {}],
  ])('and one text where %s are a list', async (name, value) => {
    await expect(startServer(given({ [name]: value }))).rejects.toThrow(
      `The option "${name}" must be an array, but found ${JSON.stringify(value)}.`,
    );
  });

  test.each([
    [
      { scenario: null },
      'The option "scenario" must be a scenario name or a scenario object, but found null.',
    ],
    [{ scenario: 5 }, 'but found 5.'],
    [{ seed: null }, 'The option "seed" must be a whole number of at least 0, but found null.'],
    [{ requireSession: 'false' }, 'The option "requireSession" must be true or false, but found "false".'],
    [{ assumptions: null }, 'The option "assumptions" must be an object, but found null.'],
    [{ baseUrl: 7n }, 'The option "baseUrl" must be a string, but found 7.'],
    [{ faults: null }, 'The option "faults" must be an array, but found null.'],
    [{ faults: ['*: 503', 5] }, 'The option "faults[1]" must be a string, but found 5.'],
    [{ apiKeys: [''] }, 'The option "apiKeys[0]" must be a text that is not empty, but found "".'],
  ])('and a value of another type: %o', (options, message) => {
    expect(() => createGateway(given(options))).toThrow(message);
    expect(() => setupGateway(given(options))).toThrow(message);
  });

  test.each([
    [{ watch: 'no' }, 'The option "watch" must be true or false, but found "no".'],
    [{ direct: 0 }, 'The option "direct" must be true or false, but found 0.'],
    [{ onCall: 'print' }, 'The option "onCall" must be a function, but found "print".'],
    [{ adminToken: '' }, 'The option "adminToken" must be a text that is not empty, but found "".'],
    [{ adminToken: 5 }, 'The option "adminToken" must be a string, but found 5.'],
    [{ requestTimeout: '1s' }, 'The option "requestTimeout" must be a number, but found "1s".'],
  ])('and one of startServer: %o', async (options, message) => {
    await expect(startServer(given(options))).rejects.toThrow(message);
  });

  test.each([5, null, {}])('and %j for an option of connect', (value) => {
    const found = `, but found ${JSON.stringify(value)}.`;
    const open = (options: object) => () => connect('http://127.0.0.1:9', given(options));
    expect(open({ session: value })).toThrow(`"session" must be a string${found}`);
    expect(open({ token: value })).toThrow(`"token" must be a string or a function${found}`);
    expect(open({ signal: value })).toThrow(`"signal" must be an AbortSignal${found}`);
  });

  test('and a misspelt value of listen, with the valid ones', () => {
    const gateway = setupGateway();
    onTestFinished(() => gateway.close());
    for (const value of ['eror', 5, null])
      expect(() => gateway.listen(given({ onUnhandledRequest: value }))).toThrow(
        'The option "onUnhandledRequest" must be "bypass", "warn", "error" or a function, but found',
      );
  });

  test('what is undefined is not given', () => {
    const options = { scenario: undefined, requireSession: undefined, faults: undefined };
    expect(() => createGateway(options)).not.toThrow();
  });

  test('and options that are no object', () => {
    expect(() => createGateway(given([]))).toThrow('The options must be an object');
    expect(() => createGateway(given('in-flight'))).toThrow(
      'The options must be an object, such as { scenario: \'default\' }, but found "in-flight".',
    );
  });
});

describe('startServer', () => {
  test.each(['4010', -1, 65_536, 1.5, Number.NaN])('refuses the port %j in words', async (port) => {
    await expect(startServer(given({ port }))).rejects.toThrow(
      'The option "port" must be a whole number from 0 to 65535',
    );
  });

  test('says that a port is taken, and keeps the code of the system', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo; // it listens on a port
    await expect(startServer({ port })).rejects.toMatchObject({
      message: `Failed to listen on port ${port} of 127.0.0.1: it is in use. Stop the other server, or choose another port: 0 (--port 0) picks a free one.`,
      code: 'EADDRINUSE',
    });
  });

  test('says that there is no such address', async () => {
    await expect(startServer({ host: '203.0.113.7' })).rejects.toMatchObject({
      message: expect.stringContaining('"203.0.113.7": listen EADDRNOTAVAIL'),
      code: 'EADDRNOTAVAIL',
    });
  });
});

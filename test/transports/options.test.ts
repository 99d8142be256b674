// Options that there are not: TypeScript refuses them; who writes JavaScript must hear of them, too.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createGateway } from '../../src/index.ts';
import { createHttpTarget, runLaws } from '../../src/laws.ts';
import { setupGateway } from '../../src/node.ts';
import { startServer } from '../../src/server.ts';

/** As JavaScript may give them. */
const given = (options: unknown) => options as object;

describe('an option that there is not', () => {
  test.each([
    ['createGateway', () => createGateway(given({ scenaro: 'in-flight' }))],
    ['setupGateway', () => setupGateway(given({ scenaro: 'in-flight' }))],
    ['startServer', () => startServer(given({ scenaro: 'in-flight' }))],
  ])('is refused by %s, with the nearest', async (_door, open) => {
    await expect((async () => open())()).rejects.toThrow(
      /^There is no option "scenaro"\. Did you mean "scenario"\? There are: scenario, seed,/,
    );
  });

  test('is refused by connect, which would steer another world', () => {
    expect(() => connect('http://127.0.0.1:9', given({ sesion: 'checkout' }))).toThrow(
      'There is no option "sesion". Did you mean "session"? There are: session, token.',
    );
  });

  test('is refused where a gateway is verified', async () => {
    const open = (options: object) =>
      createHttpTarget('http://127.0.0.1:9/v1', { apiKey: 'any' }, {}, options);
    expect(() => open({ timeOut: 1 })).toThrow('There is no option "timeOut". Did you mean "timeout"?');
    await expect(runLaws(open({}), given({ maxCall: 1 }))).rejects.toThrow('Did you mean "maxCalls"?');
  });

  test('and a file that is to be a scenario, which is read first', () => {
    expect(() => createGateway(given({ scenario: './bug-17.yaml' }))).toThrow(
      'Failed to load the scenario "./bug-17.yaml": a file is read by readScenario() of gateway-mock/node, or served by startServer().',
    );
  });

  test.each([
    ['scenarios', './mine'],
    ['faults', '*: 503'],
    ['adminHosts', 'mine'],
    ['handlers', {}],
  ])('and one text where %s are a list', async (name, value) => {
    await expect(startServer(given({ [name]: value }))).rejects.toThrow(
      `The option "${name}" is a list, but found ${JSON.stringify(value)}.`,
    );
  });

  test('and options that are no object', () => {
    expect(() => createGateway(given([]))).toThrow('The options are an object');
    expect(() => createGateway(given('in-flight'))).toThrow(
      'The options are an object, such as { scenario: \'default\' }, but found "in-flight".',
    );
  });
});

describe('startServer', () => {
  test.each(['4010', -1, 65_536, 1.5, Number.NaN])('refuses the port %j in words', async (port) => {
    await expect(startServer(given({ port }))).rejects.toThrow('it is a whole number from 0');
  });

  test('says that a port is taken, and keeps the code of the system', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo; // it listens on a port
    await expect(startServer({ port })).rejects.toMatchObject({
      message: `Port ${port} is taken on 127.0.0.1. Stop what listens there, or choose another port: 0 (--port 0) picks a free one.`,
      code: 'EADDRINUSE',
    });
  });

  test('says that there is no such address', async () => {
    await expect(startServer({ host: '203.0.113.7' })).rejects.toMatchObject({
      message: expect.stringContaining('no address "203.0.113.7"'),
      code: 'EADDRNOTAVAIL',
    });
  });
});

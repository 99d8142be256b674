// Options that do not exist, and values that cannot be: TypeScript refuses them, and JavaScript must hear of them, too.
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createHttpTarget, runChecks } from '../../src/conformance.ts';
import { createGateway } from '../../src/index.ts';
import { setupGateway } from '../../src/node.ts';
import { startServer } from '../../src/server.ts';

/** As JavaScript may give them. */
const given = (options: unknown) => options as object;

const connectWith = (options: object) => connect('http://127.0.0.1:9', given(options));
const verifyWith = (options: object) =>
  createHttpTarget('http://127.0.0.1:9/v1', { apiKey: 'any' }, {}, given(options));

test.each<[title: string, open: () => unknown, words: string]>([
  ['createGateway', () => createGateway(given({ scenaro: 'in-flight' })), 'Did you mean "scenario"?'],
  ['setupGateway', () => setupGateway(given({ scenaro: 'in-flight' })), 'Did you mean "scenario"?'],
  ['startServer', () => startServer(given({ scenaro: 'in-flight' })), 'Did you mean "scenario"?'],
  ['connect', () => connectWith({ sesion: 'a' }), 'Did you mean "session"? Known options: session, token,'],
  ['createHttpTarget', () => verifyWith({ timeOut: 1 }), 'Did you mean "timeout"?'],
  ['runChecks', () => runChecks(verifyWith({}), given({ maxCall: 1 })), 'Did you mean "maxCalls"?'],
])('an unknown option of %s is refused with the nearest name', async (_entryPoint, open, words) => {
  const opening = (async () => open())();
  await expect(opening).rejects.toThrow(/^Unknown option "/);
  await expect(opening).rejects.toThrow(words);
});

test.each<[options: object, words: string]>([
  [{ scenario: null }, 'The option "scenario" must be a scenario name or a scenario object, but found null.'],
  [{ scenario: 'defualt' }, 'Did you mean "default"?'],
  [{ scenario: './bug-17.yaml' }, 'files are read by readScenario() of gateway-mock/node, or served by'],
  [{ seed: null }, 'The option "seed" must be a whole number of at least 0, but found null.'],
  [{ requireSession: 'false' }, 'The option "requireSession" must be a boolean, but found "false".'],
  [{ baseUrl: 7n }, 'The option "baseUrl" must be a string, but found 7.'],
  [{ faults: ['*: 503', 5] }, 'The option "faults[1]" must be a string, but found 5.'],
  [{ apiKeys: [''] }, 'The option "apiKeys[0]" must be a text that is not empty, but found "".'],
])('a gateway is refused with %o', (options, words) => {
  expect(() => createGateway(given(options))).toThrow(words);
  expect(() => setupGateway(given(options))).toThrow(words);
});

test.each(['gateway.test/v1', '/v1', 'https://gateway.test', ''])(
  'the base URL "%s" is refused with an explanation',
  (baseUrl) => {
    expect(() => createGateway({ baseUrl })).toThrow('it must be an absolute URL that ends in /v1');
  },
);

test('what is undefined is not given, and options are an object', () => {
  const options = { scenario: undefined, requireSession: undefined, faults: undefined };
  expect(() => createGateway(options)).not.toThrow();
  expect(() => createGateway(given([]))).toThrow('The options must be an object');
});

test.each([
  [
    { scenarios: './mine' },
    'The option "scenarios" must be an array of paths (the scenario to serve is the option "scenario"), but found "./mine".',
  ],
  [{ onCall: 'print' }, 'The option "onCall" must be a function, but found "print".'],
  [{ adminToken: '' }, 'The option "adminToken" must be a text that is not empty, but found "".'],
  [{ requestTimeout: '1s' }, 'The option "requestTimeout" must be a number, but found "1s".'],
  [{ port: '4010' }, 'The option "port" must be a whole number from 0 to 65535, but found "4010".'],
])('a server is refused with %o', async (options, message) => {
  await expect(startServer(given(options))).rejects.toThrow(message);
});

test.each([5, null, {}])('%j is refused for an option of connect', (value) => {
  const found = `, but found ${JSON.stringify(value)}.`;
  expect(() => connectWith({ session: value })).toThrow(`"session" must be a string${found}`);
  expect(() => connectWith({ token: value })).toThrow(`"token" must be a string or a function${found}`);
  expect(() => connectWith({ signal: value })).toThrow(`"signal" must be an AbortSignal${found}`);
});

test('a misspelt value of listen is refused with the valid ones', () => {
  const gateway = setupGateway();
  onTestFinished(() => gateway.close());
  for (const value of ['eror', 5, null])
    expect(() => gateway.listen(given({ onUnhandledRequest: value }))).toThrow(
      'The option "onUnhandledRequest" must be "bypass", "warn", "error" or a function, but found',
    );
});

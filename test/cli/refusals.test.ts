// Errors of the caller: each ends the command with one line on stderr that says what to do, and exit code 2.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { type Ending, spawnCli } from '../support/spawn-cli.ts';

const expectError = ({ code, stdout, stderr }: Ending, words: readonly string[]): void => {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^gateway-mock: [^\n]+\n(?: {2}- .+\n)*$/); // a line, and one for each error of a scenario
  expect(stderr).not.toMatch(/\bat \S+:\d+:\d+|node:internal|SECRET/); // no stack, no key
  for (const word of words) expect(stderr).toContain(word);
};

const toArgs = (line: string): string[] => line.split(' ').map((word) => (word === "''" ? '' : word));

const nobody = '--against http://127.0.0.1:9/v1';
const verify = `verify ${nobody}`;
const capture = `capture ${nobody} --api-key k --virtual-key v`;

test.each<[line: string, ...words: string[]]>([
  ['--port abc', '--port', 'abc', '65535'],
  ['--port 70000', '65535'],
  ['--port -1', '65535'],
  ["--port ''", '65535'],
  ['--port 1e3', '65535'],
  ['--port', 'missing'],
  ['--max-sessions 1', "'1'", 'It must be a whole number of at least 2.'],
  ['--seed abc', '--seed', 'abc'],
  ['--seed 9007199254740993', '--seed', '9007199254740993'],
  ['--assume unknown-cursor', 'It must be NAME=VALUE, such as unknown-cursor=400.'],
  ['--assume unknown-cursors=400', 'unknown-cursors', 'Did you mean "unknown-cursor"?'],
  ['--scenario defualt', '"defualt"', 'Did you mean "default"?'],
  ['--scenario __proto__', '"__proto__"', 'default'],
  ['--nope', "'--nope'", '--help'],
  ['--prot 1', "'--prot'", 'Did you mean --port?'],
  ['fly --port 0', 'fly', '--help'],
  ['serv --port 0', '"serv"', 'Did you mean "serve"?'],
  ['help fly', 'unknown command "fly"', '--help'],
  ['serve fly --port 0', 'fly', '--help'],
  ['--port 0 --host 203.0.113.7', '203.0.113.7', '--host 127.0.0.1'],
  ['--port 0 --host fe80::1', 'fe80::1', '--host 127.0.0.1'],
  ["--port 0 --host ''", '--host'],
  ['--tls-cert .nvmrc', 'tlsKey (--tls-key) is missing'],
  ['--tls-cert /no/cert.pem --tls-key /no/key.pem', '/no/cert.pem'],
  ['openapi --scenario strict-answers', '--scenario'], // it is true for all of them
  ['exec', 'command to run is missing'],
  ['exec --', 'command to run is missing'],
  ['exec --nope -- true', "'--nope'"],
  ['exec --fault listRuns -- true', 'the colon is missing'],
  ["exec --admin-token '' -- true", 'must be a text that is not empty'],
  ['exec --admin-token-file /no/such/token -- true', 'cannot be read'],
  ['exec --admin-token-file package.json -- true', 'must contain one line'],
  ['exec --admin-token a --admin-token-file .nvmrc -- true', 'cannot be used with'],
  ['exec --watch -- true', '--watch'],
  ['validate', 'the files are missing. Usage: gateway-mock validate FILES…'],
  ['init --runner mocha', 'mocha', 'vitest, jest, playwright, node, bun, deno, pytest'],
  ['init --dir /no/such/folder', 'does not exist'],
  ['verify', "required option '--against <url>' not specified. See gateway-mock --help."],
  [verify, 'GATEWAY_API_KEY'],
  [`${verify} --api-key k`, 'failed to reach http://127.0.0.1:9/v1'],
  [`${verify} --api-key SECRETé`, 'Only printable ASCII'],
  [`${verify} --keys /no/such/file`, 'failed to read'],
  [`${verify} --keys package.json`, 'has neither'],
  [`${verify} --api-key k --variables {"a":1}`, '--variables also needs --prompt ID'],
  [`${verify} --variables []`, 'give a JSON object'],
  [`${verify} --rate 0`, 'from 0.01'],
  [`${verify} --max-calls many`, 'whole number'],
  [`${verify} --timeout soon`, 'the timeout'],
  [`${verify} --thread ..`, 'cannot be ".."'],
  [`${verify} --apikey=SECRET-KEY=1`, "unknown option '--apikey=…'"],
  ['verify --against gateway --api-key k', 'is not a valid URL'],
  ['verify --against ftp://gateway.test/v1 --api-key k', 'does not begin with http'],
  ['verify --against http://me:SECRET@gateway.test/v1 --api-key k', 'has a user'],
  ['verify --against http://gateway.test/ --api-key k', 'end in /v1'],
  ['capture', "required option '--against <url>' not specified."],
  [capture, '--output'],
  [`capture ${nobody} -o a.yaml`, 'the API key is missing'],
  [`${capture} -o a.yaml`, 'failed to reach http://127.0.0.1:9/v1: '],
  [`${capture} -o a.txt`, 'is not a scenario file'],
  [`${capture} -o a.yaml --variables [1]`, 'give a JSON object'],
])('gateway-mock %s', async (line, ...words) => {
  expectError(await runCli(...toArgs(line)), words);
});

test.each([
  ['GATEWAY_MOCK_PORT', 'http', 'must be a whole number'],
  ['GATEWAY_MOCK_MAX_SESSIONS', '', 'must be a whole number'],
  ['GATEWAY_MOCK_STATE_DIR', '', 'must be a text that is not empty'],
  ['GATEWAY_MOCK_LOG', 'xml', 'Allowed choices are text, json'],
  ['GATEWAY_MOCK_API_KEY', 'a\n\nb', 'must be a text that is not empty'],
  ['GATEWAY_MOCK_ADMIN_TOKEN_FILE', '/no/such/token', 'cannot be read'],
  ['GATEWAY_MOCK_ADMIN_TOKEN', 'a', 'cannot be used with environment variable'],
])('%s=%j is refused by its name', async (name, value, message) => {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const other = name === 'GATEWAY_MOCK_ADMIN_TOKEN' ? ['--admin-token-file', '.nvmrc'] : [];
  expectError(await runCli('serve', ...other), [name, message]);
});

test('a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo; // it listens on a port
  expectError(await runCli('--port', String(port)), [String(port), 'in use', '--port 0']);
});

test('in a process of its own', async () => {
  const { child, ended } = spawnCli('--scenario', 'defualt'); // known only when the server opens
  child.stdout.once('data', () => child.kill()); // it serves, and would never end
  expectError(await ended, ['Did you mean "default"?']);
});

// The snippets of docs/test-runners.md, run as printed. Those of Playwright: test/browser/playwright.slow.test.ts.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type GatewayServer, startServer } from '../../src/server.ts';
import { snippetsOf } from '../support/printed-blocks.ts';
import { builtProject, type FolderResult, runFolder } from '../support/suite-project.ts';
import { makeBuiltFolder, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);
const folder = makeBuiltFolder('gateway-mock-test-runners');

const vitest = snippetsOf('Vitest');
const [nodeTest = '', sharedServer = ''] = snippetsOf('node:test');
const [jest = ''] = snippetsOf('Jest');

test('the snippets are found', () => {
  const counts = ['Vitest', 'node:test', 'Jest', 'Playwright'].map((runner) => snippetsOf(runner).length);
  expect(counts).toEqual([3, 2, 1, 2]);
});

/** The same text with one more line ahead of some other one. */
const withLine = (text: string, line: string, ahead: string): string => {
  expect(text).toContain(ahead);
  return text.replace(ahead, () => `${line}\n${ahead}`);
};

const lostSession = (made: string): string =>
  withLine(
    jest,
    `  await fetch(root + '/__admin/sessions/create', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: ${made} }) });`,
    '  expect(page.data)',
  );

describe('those of Vitest, and of Jest with the same globals of Vitest, since Jest is not at hand', () => {
  /** What came of them, in one process of Vitest. */
  let result: FolderResult;
  let server: GatewayServer;
  beforeAll(async () => {
    const folder = makeBuiltFolder('gateway-mock-test-runners-vitest');
    const servers: GatewayServer[] = [];
    const writeJest = async (name: string, text: string): Promise<GatewayServer> => {
      const server = await startServer({ maxSessions: 2 });
      servers.push(server);
      writeBuilt(folder, name, text.replace('process.env.GATEWAY_BASE_URL', `'${server.baseUrl}'`));
      return server;
    };
    vitest.forEach((text, index) => void writeBuilt(folder, `vitest-${index}.test.js`, text));
    server = await writeJest('jest.test.js', jest);
    await writeJest('jest-removed.test.js', lostSession("'other'"));
    await writeJest('jest-anew.test.js', lostSession('name'));
    const env = { ...process.env, JEST_WORKER_ID: '3' };
    result = await runFolder(builtProject, folder, ['--globals'], env);
    return () => Promise.all(servers.map((each) => each.close()));
  });

  test.each(vitest.map((_, index) => index))('of Vitest pass: %i', (index) => {
    const passed = [1, 2, 1][index]; // so many tests are printed
    expect(result.of(`vitest-${index}`)).toEqual({ failures: {}, passed });
  });

  test('of Jest pass', async () => {
    expect(result.of('jest.')).toEqual({ failures: {}, passed: 1 });
    expect(await server.sessions.list()).toContain('worker-3');
  });

  test.each([
    ['removed', /expected \[ null, .* to deeply equal \[ '[0-9a-f]{12}', \[\] \]/],
    ['anew', /expected \[ '[0-9a-f]{12}', \[\] \] to deeply equal \[ '[0-9a-f]{12}', \[\] \]/],
  ])('of Jest fail where its world is lost meanwhile: %s', (how, words) => {
    const { failures } = result.of(`jest-${how}`);
    expect(failures['there are batches']).toEqual([expect.stringMatching(words)]);
  });
});

describe('those of node:test', () => {
  const runTap = async (name: string, text: string): Promise<string> => {
    const args = ['--test', '--test-reporter', 'tap', writeBuilt(folder, name, text)];
    const { stdout } = await run(process.execPath, args).catch((error: { readonly stdout: string }) => error);
    return stdout;
  };

  test.each([nodeTest, sharedServer])('pass', async (text) => {
    const printed = await runTap(`node-test-${text.length}.mjs`, text);
    expect(printed).toMatch(/^# pass 1$/m);
    expect(printed).toMatch(/^# fail 0$/m);
  });

  test('a gateway of openGateway fails its test, in a few lines, and leaves the others alone', async () => {
    const tests = `
      import { test } from 'node:test';
      import { openGateway } from 'gateway-mock/node-test';
      test('all', { concurrency: true }, async (t) => {
        await Promise.all([
          t.test('stray', async (t) => { await fetch((await openGateway(t)).baseUrl + '/batchez'); }),
          t.test('idle', async (t) => { await (await openGateway(t)).faults.add('listRuns: 503'); }),
          t.test('allowed', async (t) => { await (await openGateway(t, { unusedFaults: 'allow' })).faults.add('listRuns: 503'); }),
          t.test('own', async (t) => { await (await openGateway(t)).faults.add('listRuns: 503'); throw new Error('mine'); }),
          t.test('misspelt', async (t) => { await (await openGateway(t)).faults.add('listRunz: 503'); }),
          t.test('context', async () => { await openGateway(); }),
        ]);
      });
    `;
    const printed = await runTap('node-test-fails.mjs', tests);
    expect(printed.match(/^ +(?:not )?ok \d - \w+/gm)?.map((line) => line.trim())).toEqual([
      'not ok 1 - stray',
      'not ok 2 - idle',
      'ok 3 - allowed',
      'not ok 4 - own',
      'not ok 5 - misspelt',
      'not ok 6 - context',
    ]);
    expect(printed).toContain('1 request of this test matched no operation of the gateway:');
    expect(printed).toContain("To allow this: openGateway(t, { unusedFaults: 'allow' }).");
    expect(printed).toContain("error: 'mine'");
    expect(printed).toContain('the first argument must be the context of a test');
    expect(printed).not.toMatch(/chunk-\w+\.js/); // no frames of our own
  });

  test('a test that does not await its gateway fails, and its process ends', async () => {
    const tests = `
      import { test } from 'node:test';
      import { openGateway } from 'gateway-mock/node-test';
      test('hasty', async (t) => { await openGateway(t).faults.add('listRuns: 503'); });
      test('wrong', async (t) => { openGateway(t, { scenario: 'nowhere' }).catch(() => {}); });
    `;
    const printed = await runTap('node-test-hasty.mjs', tests); // it hung
    expect(printed).toMatch(/^# pass 1$/m);
    expect(printed).toMatch(/^# fail 1$/m);
  });

  test('fails where its world is lost meanwhile', async () => {
    const crowded = sharedServer.replace('startServer()', 'startServer({ maxSessions: 2 })');
    const printed = await runTap(
      'node-test-lost.mjs',
      withLine(crowded, "  await server.sessions.create('other');", '  assert.ok(page'),
    );
    expect(printed).toContain('The session "test-1" was removed: at most');
    expect(printed).toMatch(/^# fail 1$/m);
  });
});

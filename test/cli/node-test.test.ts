// `gateway-mock/node-test`: docs/node-test.md as printed, and what fails a test.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blocksOf } from '../support/printed-blocks.ts';
import { makeBuiltFolder, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);
const folder = makeBuiltFolder('gateway-mock-node-test');

const runTap = async (name: string, text: string): Promise<string> => {
  const args = ['--test-reporter', 'tap', writeBuilt(folder, name, text)];
  const { stdout } = await run(process.execPath, args).catch((error: { readonly stdout: string }) => error);
  return stdout;
};

test('the printed test passes', async () => {
  const [block] = blocksOf('js').filter(({ page }) => page === 'docs/node-test.md');
  const printed = await runTap('node-test-printed.mjs', block?.text ?? '');
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
          t.test('silent', async (t) => { (await openGateway(t)).baseUrl; }),
          t.test('hasty', async (t) => { const { baseUrl, headers } = await openGateway(t); fetch(baseUrl + '/batches', { headers }); }),
          t.test('seeded', async (t) => { await (await openGateway(t)).records.batches.create({}); }),
          t.test('reader', async (t) => { await (await openGateway(t)).records.batches.list(); }),
          t.test('skipper', async (t) => { (await openGateway(t)).baseUrl; t.skip('later'); }),
          t.test('spread', async (t) => {
            const { baseUrl, headers, records } = { ...(await openGateway(t)) };
            await records.batches.create({});
            await fetch(baseUrl + '/batches', { headers });
          }),
          t.test('asker', async (t) => {
            const { baseUrl, headers, requests } = await openGateway(t);
            t.after(async () => { if (await requests.count() !== 1) throw new Error('closed'); });
            await fetch(baseUrl + '/batches', { headers });
          }),
          t.test('unawaited', async (t) => { openGateway(t).baseUrl; }),
          t.test('late', async (t) => { openGateway(t).then(() => {}); }),
          t.test('lost', async (t) => {
            const { baseUrl, headers, requests } = await openGateway(t);
            await fetch(baseUrl + '/batches', { headers });
            requests.expect({ operation: 'listRuns' });
          }),
          t.test('preflight', async (t) => {
            const headers = { origin: 'http://localhost', 'access-control-request-method': 'GET' };
            await fetch((await openGateway(t)).baseUrl + '/batches', { method: 'OPTIONS', headers });
          }),
          t.test('expecting', async (t) => {
            const gateway = await openGateway(t);
            gateway.baseUrl;
            await gateway.requests.expect({ operation: 'listBatches' }).catch(() => {});
          }),
          t.test('quiet', async (t) => { const gateway = await openGateway(t); gateway.baseUrl; await gateway.requests.count(); }),
        ]);
      });
    `;
  const printed = await runTap('node-test-fails.mjs', tests);
  expect(printed.match(/^ +(?:not )?ok \d+ - \w+/gm)?.map((line) => line.trim())).toEqual([
    'not ok 1 - stray',
    'not ok 2 - idle',
    'ok 3 - allowed',
    'not ok 4 - own',
    'not ok 5 - misspelt',
    'not ok 6 - context',
    'not ok 7 - silent',
    'ok 8 - hasty',
    'ok 9 - seeded',
    'ok 10 - reader',
    'ok 11 - skipper',
    'ok 12 - spread',
    'ok 13 - asker',
    'not ok 14 - unawaited',
    'not ok 15 - late',
    'not ok 16 - lost',
    'ok 17 - preflight',
    'ok 18 - expecting',
    'ok 19 - quiet',
  ]);
  expect(printed).toContain('1 request of this test matched no operation of the gateway:');
  expect(printed).toContain("To allow this: openGateway(t, { unusedFaults: 'allow' }).");
  expect(printed).toContain("If it needs no calls: openGateway(t, { noCalls: 'allow' }).");
  expect(printed).toContain("error: 'mine'");
  expect(printed.match(/This test did not await openGateway/g)).toHaveLength(2);
  expect(printed).toContain('This test did not await requests.expect');
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
  expect(printed).toMatch(/^# fail 2$/m);
});

// What is asked of a world, and how many worlds there were, leaves the memory flat.
import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { volume } from '../support/settings.ts';
import { buildFolder } from '../support/write-built.ts';

/** Calls a gateway as Node's server would, but without a socket: that would take most of the time. */
const prelude = `
  import { createGateway } from ${JSON.stringify(pathToFileURL(`${buildFolder}/index.js`).href)};
  const open = (options, onEnd = () => {}) => {
    const gateway = createGateway(options);
    const listener = gateway.middleware();
    const closers = []; // what waits for a reply to be sent
    const response = {
      req: { socket: { once: () => {} } },
      writeHead: () => response,
      setTimeout: () => response,
      once: (_event, done) => closers.push(done),
      off: () => {},
      end: (body) => {
        onEnd(body);
        for (const done of closers.splice(0)) done();
        return response;
      },
    };
    const call = (url, body) => {
      const headers = { 'x-gateway-api-key': 'sk-0123456789-' + url.length, 'x-gateway-virtual-key': 'any' };
      if (body !== undefined) Object.assign(headers, { 'content-type': 'application/json', 'content-length': String(body.length) });
      const request = { method: body === undefined ? 'GET' : 'POST', url, headers, readableEnded: true, body };
      listener(request, response, () => { throw new Error('It is not ours: ' + url); });
    };
    return { gateway, call };
  };
  const render = '/v1/prompts/prompt_welcome/render';
  const variables = (size) => Buffer.from(JSON.stringify({ variables: { name: 'x'.repeat(size) } }));
  const measure = () => {
    gc();
    gc();
    const { heapUsed, external } = process.memoryUsage(); // bodies are bytes outside of the heap
    return heapUsed + external;
  };
`;

const run = async (program: string): Promise<unknown> => {
  const args = ['--expose-gc', '--input-type=module', '--eval', prelude + program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  return JSON.parse(stdout);
};

const megabyte = 1_000_000;

test('large replies that are not sent yet are outside of the heap', async () => {
  const heap = await run(`
    const unsent = [];
    const { call } = open({ journal: 0 }, (body) => unsent.push(body));
    for (let number = 0; number < 10; number += 1) call(render, variables(${8 * megabyte}));
    gc();
    console.log(unsent.length === 10 && process.memoryUsage().heapUsed);
  `);
  expect(heap).toBeGreaterThan(0);
  expect(heap).toBeLessThan(60 * megabyte);
});

test('requests with bodies, pages, errors and faults leave memory flat', async () => {
  const { early, late, kept } = (await run(`
    const { gateway, call } = open({ faults: ['listBatches share=10%: 503'] });
    const use = (from, to) => {
      for (let number = from; number < to; number += 1) {
        if (number % 5 === 0) call(render, variables(1000 + (number % 1000)));
        else if (number % 5 === 1) call('/v1/batches?limit=2&n=' + number);
        else if (number % 5 === 2) call('/v1/fine_tuning/jobs/ftjob_demo/checkpoints?limit=5');
        else if (number % 5 === 3) call('/v1/nothing/' + number);
        else call('/v1/threads/thread_demo/runs?limit=' + (number % 100 === 4 ? 100 : 3));
      }
      return measure();
    };
    const early = use(0, ${volume(20_000, 2_000)});
    const late = use(${volume(20_000, 2_000)}, ${volume(100_000, 8_000)});
    const all = await gateway.requests.list({}, { kept: true });
    console.log(JSON.stringify({ early, late, kept: [all.length, all.at(-1).operation, all.at(-5).body.length] }));
  `)) as { early: number; late: number; kept: unknown };
  expect(kept).toEqual([1000, 'listRuns', expect.any(Number)]);
  expect(late - early).toBeLessThan(3 * megabyte); // they would take several times as much
}, 240_000);

test('large bodies leave no more behind than the journal has room for', async () => {
  const [start, large, many, kept] = (await run(`
    const { gateway, call } = open({ journalMemory: 8 });
    for (let number = 0; number < ${volume(2000, 1000)}; number += 1) call(render, variables(100));
    const start = measure();
    for (let number = 0; number < ${volume(50, 10)}; number += 1) call(render, variables(5_000_000));
    const large = measure();
    for (let number = 0; number < ${volume(5000, 500)}; number += 1) call(render, variables(100_000));
    const many = measure();
    const all = await gateway.requests.list({}, { kept: true });
    console.log(JSON.stringify([start, large, many, all.length]));
  `)) as [number, number, number, number];
  expect(large - start).toBeLessThan(12 * megabyte); // of 100 or 500, and the engine itself holds on to a text or two
  expect(many - start).toBeLessThan(12 * megabyte); // of 100 or 1,000
  expect(kept).toBeGreaterThanOrEqual(15); // each takes 200 kB
  expect(kept).toBeLessThanOrEqual(20);
}, 240_000);

test('waits that are over, and those in vain, leave nothing behind', async () => {
  const [start, after] = (await run(`
    const { gateway, call } = open({ journal: 20 });
    const use = async (count) => {
      for (let number = 0; number < count; number += 1) {
        const waited = gateway.requests.wait({ query: { n: String(number) } });
        const inVain = gateway.requests.wait({ status: 500 }, { timeout: 0 }).catch(() => {});
        call('/v1/batches?limit=1&n=' + number);
        await waited;
        await inVain;
      }
      return measure();
    };
    console.log(JSON.stringify([await use(${volume(1000, 300)}), await use(${volume(3000, 300)})]));
  `)) as [number, number];
  expect(after - start).toBeLessThan(megabyte);
}, 240_000);

test('sessions, one after another, leave no more behind than there may be at once', async () => {
  const kept = volume(1000, 20);
  const { before, after, sessions } = (await run(`
    const gateway = createGateway({ maxSessions: ${kept} });
    const use = async (from, to) => {
      for (let number = from; number < to; number += 1) {
        const { records, clock } = gateway.session('s' + number);
        await records.batches.create({});
        await clock.advance('1m');
        await records.runs.list({ thread_id: 'thread_small' });
      }
      gc();
      return process.memoryUsage().heapUsed;
    };
    const before = await use(0, ${3 * kept});
    const after = await use(${3 * kept}, ${13 * kept});
    console.log(JSON.stringify({ before, after, sessions: (await gateway.sessions.list()).length }));
  `)) as { before: number; after: number; sessions: number };
  expect(sessions).toBe(kept);
  expect(after - before).toBeLessThan(10 * megabyte); // that many worlds would take several times as much
}, 240_000);

// What is asked of a world, and how many worlds there were, leaves the memory flat.
import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { volume } from '../support/settings.ts';
import { buildFolder } from '../support/write-built.ts';

/** Calls a gateway as Node's server would, but without a socket: that would take most of the time. */
const prelude = `
  import assert from 'node:assert/strict';
  import { EventEmitter } from 'node:events';
  import { createGateway } from ${JSON.stringify(pathToFileURL(`${buildFolder}/index.js`).href)};
  const open = (options) => {
    const gateway = createGateway(options);
    const listener = gateway.middleware();
    const response = Object.assign(new EventEmitter(), {
      req: { socket: new EventEmitter() },
      socket: {},
      writeHead: () => response,
      setTimeout: () => response,
      write: (_piece, taken) => taken(),
      end: () => {
        response.emit('finish');
        response.emit('close');
        return response;
      },
    });
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
  const report = (before, after) => console.log(after - before);
`;

const megabyte = 1_000_000;

/** Programs that measure twice; what is used in between may leave only so many megabytes behind. */
const programs: readonly (readonly [what: string, megabytes: number, program: string])[] = [
  [
    'requests with bodies, pages, errors and faults',
    3, // they would take several times as much
    `const { gateway, call } = open({ faults: ['listBatches share=10%: 503'] });
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
    report(use(0, ${volume(20_000, 2_000)}), use(${volume(20_000, 2_000)}, ${volume(100_000, 8_000)}));
    assert.equal((await gateway.requests.list({}, { kept: true })).length, 1000);`,
  ],
  [
    'bodies larger than the journal has room for',
    12, // of 100 or 1,000, and the engine itself holds on to a text or two
    `const { gateway, call } = open({ journalMemory: 8 });
    for (let number = 0; number < ${volume(2000, 200)}; number += 1) call(render, variables(100));
    const before = measure();
    for (let number = 0; number < ${volume(50, 10)}; number += 1) call(render, variables(5_000_000));
    for (let number = 0; number < ${volume(5000, 500)}; number += 1) call(render, variables(100_000));
    report(before, measure());
    const { length } = await gateway.requests.list({}, { kept: true });
    assert(length >= 10 && length <= 20, String(length)); // each takes 200 kB, and may hold its masked values as well`,
  ],
  [
    'waits that are over, and those in vain',
    1,
    `const { gateway, call } = open({ journal: 20 });
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
    report(await use(${volume(1000, 300)}), await use(${volume(3000, 300)}));`,
  ],
  [
    'sessions beyond maxSessions',
    10, // that many worlds would take several times as much
    `const kept = ${volume(1000, 20)};
    const gateway = createGateway({ maxSessions: kept });
    const use = async (from, to) => {
      for (let number = from; number < to; number += 1) {
        const { records, clock } = gateway.session('s' + number);
        await records.batches.create({});
        await clock.advance('1m');
        await records.runs.list({ thread_id: 'thread_small' });
      }
      return measure();
    };
    report(await use(0, 3 * kept), await use(3 * kept, 13 * kept));
    assert.equal((await gateway.sessions.list()).length, kept);`,
  ],
];

test('worlds that were called, waited for and removed leave little behind', {
  timeout: 240_000,
}, async () => {
  // One after the other in one process, each in a block of its own.
  const all = programs.map(([, , program]) => `{ ${program}\n}`).join('\n');
  const args = ['--expose-gc', '--input-type=module', '--eval', prelude + all];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const left = stdout.trim().split('\n').map(Number);
  for (const [at, [what, megabytes]] of programs.entries())
    expect.soft((left[at] ?? Number.NaN) / megabyte, what).toBeLessThan(megabytes);
});

// `npm run bench:replicas`: 200 sessions with a mixed load for a minute, on one replica and on three behind HAProxy by
// docs/replicas.cfg. It fails if a reply differs from that of a session that is alone.
//   -- --seconds 10    a shorter load
//   -- --sessions 20   fewer sessions
//   -- --calls 5       so many calls a second by each session
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../../.config/bundle.js';
import { printTable } from './figures.js';
import { freePort } from './free-port.js';
import { cores, isPinned, listen, readCpuTime, stopAll } from './processes.js';
import { proxyConfig, withPorts } from './proxy.js';
import { disconnect, send } from './soak-scripts.js';

/** @typedef {import('./soak-scripts.js').Step} Step */

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, sessions: { type: 'string' }, calls: { type: 'string' } },
});
const seconds = Number(values.seconds ?? 60);
const sessions = Number(values.sessions ?? 200);
const callsPerSecond = Number(values.calls ?? 5);

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = join(root, 'node_modules/.cache/gateway-mock-replicas'); // finds its packages
const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-replicas-'));
process.once('exit', () => {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
});
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
rmSync(built, { recursive: true, force: true });
await bundle(built);

const admin = '/__admin';
const runs = '/v1/threads/thread_demo/runs?limit=20';

/** What a session does after its start, over and over: a test of pages, faults, the clock and rendering. @param {string} secondPage @returns {Step[]} */
const toSteps = (secondPage) => [
  { method: 'POST', path: `${admin}/reset` },
  { method: 'POST', path: `${admin}/faults`, body: { faults: ['listBatches#1: 503'] } },
  { method: 'GET', path: runs },
  { method: 'GET', path: `${runs}&after=${secondPage}` },
  { method: 'GET', path: '/v1/batches' },
  { method: 'GET', path: '/v1/batches' },
  { method: 'GET', path: '/v1/fine_tuning/jobs/ftjob_demo/checkpoints' },
  { method: 'GET', path: '/v1/policies/rate-limits/11111111-1111-4111-8111-111111111111' },
  { method: 'POST', path: '/v1/prompts/prompt_welcome/render', body: { variables: { name: 'Ada' } } },
  { method: 'POST', path: `${admin}/clock/advance`, body: { duration: '10m' } },
  { method: 'GET', path: runs },
  { method: 'GET', path: `${admin}/requests/count?operation=listRuns` },
];

/** The resident memory of a process, in bytes. @param {number} pid */
const readMemory = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** @param {string} stateDir */
const startReplica = async (stateDir) => {
  const port = await freePort();
  const options = ['serve', '--quiet', '--port', port, '--state-dir', stateDir];
  return {
    port,
    ...(await listen(cores.server, [process.execPath, join(built, 'cli.js'), ...options], port)),
  };
};

/** @param {readonly string[]} replicaPorts */
const startProxy = async (replicaPorts) => {
  const port = await freePort();
  const config = join(folder, 'replicas.cfg');
  writeFileSync(config, withPorts(proxyConfig, [port, ...replicaPorts]));
  return listen(cores.load, ['haproxy', '-db', '-f', config], port);
};

/** @param {string} url @param {string} name */
const begin = async (url, name) => {
  const base = `${url}/sessions/${name}`;
  await send(base, { method: 'PUT', path: `${admin}/sessions/${name}`, body: {} });
  return base;
};

/**
 * Every session calls at its own pace, whether the replies are slow or not, so a call that starts late counts as slow.
 *
 * @param {string} url
 */
const load = async (url) => {
  const alone = await begin(url, 'alone');
  const { text } = await send(alone, { method: 'GET', path: runs });
  const steps = toSteps(JSON.parse(text.slice(text.indexOf('{'))).last_id);
  /** @type {string[]} */
  const expected = [];
  for (const step of steps) expected.push((await send(alone, step)).text);

  /** In milliseconds. @type {number[]} */
  const times = [];
  let wrong = 0;
  const bases = await Promise.all(Array.from({ length: sessions }, (_, at) => begin(url, `load-${at}`)));
  const started = performance.now();
  const pause = 1000 / callsPerSecond;
  /** @param {string} base @param {number} at */
  const work = async (base, at) => {
    const first = started + (at / sessions) * pause;
    for (let call = 0; call < seconds * callsPerSecond; call += 1) {
      const planned = first + call * pause;
      await sleep(Math.max(0, planned - performance.now()));
      const step = steps[call % steps.length];
      if (step === undefined) throw new Error('There are no steps.');
      const due = Math.min(planned, performance.now()); // a timer may be early
      const answer = await send(base, step);
      times.push(performance.now() - due);
      if (answer.text !== expected[call % steps.length]) wrong += 1;
    }
  };
  await Promise.all(bases.map(work));
  disconnect();
  return { times: times.sort((a, b) => a - b), wrong };
};

/** @param {number} count of replicas */
const measure = async (count) => {
  const replicas = await Promise.all(
    Array.from({ length: count }, () => startReplica(join(folder, `state-of-${count}`))),
  );
  const proxy = count === 1 ? undefined : await startProxy(replicas.map(({ port }) => port));
  const url = proxy?.url ?? replicas[0]?.url ?? '';
  const all = proxy === undefined ? replicas : [...replicas, proxy];
  const before = all.map(({ pid }) => readCpuTime(pid));
  const { times, wrong } = await load(url);
  const cpu = all.map(({ pid }, at) => readCpuTime(pid) - (before[at] ?? 0));
  const memory = replicas.map(({ pid }) => readMemory(pid));
  for (const { kill } of all) kill();
  /** @param {readonly number[]} spent in seconds */
  const perCall = (spent) =>
    `${Math.round((spent.reduce((sum, one) => sum + one, 0) / times.length) * 1e6)} µs`;
  /** @param {number} share */
  const percentile = (share) => `${(times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1)} ms`;
  return {
    wrong,
    figures: [
      String(times.length),
      String(wrong),
      perCall(cpu.slice(0, count)),
      cpu
        .slice(0, count)
        .map((spent) => `${Math.round((spent / seconds) * 100)} %`)
        .join(', '),
      proxy === undefined ? '' : perCall(cpu.slice(count)),
      percentile(0.5),
      percentile(0.99),
      memory.map((bytes) => `${Math.round(bytes / 1e6)} MB`).join(', '),
    ],
  };
};

const one = await measure(1);
const three = await measure(3);
const names = [
  'calls',
  'wrong replies',
  'processor time a call, all replicas',
  'of one core, each replica',
  'processor time a call, proxy',
  'half of the calls within',
  '99 of 100 calls within',
  'memory at the end, each replica',
];
printTable([
  [
    `${sessions} sessions, ${callsPerSecond} calls a second each, ${seconds} s`,
    'one replica',
    'three behind HAProxy',
  ],
  ...names.map((name, at) => [name, one.figures[at] ?? '', three.figures[at] ?? '']),
]);
if (!isPinned)
  console.log('Nothing is pinned to a core (taskset): what serves and what asks disturb each other.');
process.exit(one.wrong + three.wrong === 0 ? 0 : 1);

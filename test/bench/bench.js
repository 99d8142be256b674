// `npm run bench`: how fast the gateway is beside other ways of serving the same bytes.
// Figures of one run compare with each other; machines are too noisy for anything else.
//   -- --quick       under a minute, for a first look
//   -- --autocannon  loads without wrk
//   -- --compare     tells which ratios moved by more than a tenth since test/bench/baseline.json was written
//   -- --update-baseline  writes that file
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../../.config/bundle.js';
import { describeChanges, writeBaseline } from './baseline.js';
import { judgeBy, median, printFigures, printTable } from './figures.js';
import { measureFetches } from './in-process.js';
import { loadTool } from './load.js';
import { measureMemory } from './memory.js';
import { needs } from './needs.js';
import { isPinned, stopAll } from './processes.js';
import { measureSessions } from './sessions.js';
import { measureStarts } from './startup.js';
import { measureThroughput } from './throughput.js';
import { benchWorlds } from './worlds.js';

const isQuick = process.argv.includes('--quick');
const plan = isQuick
  ? {
      limit: 240,
      sittings: 1,
      rounds: loadTool === 'wrk' ? 3 : 2,
      seconds: 0.3,
      starts: 5,
      processes: 3,
      fetches: 450,
    }
  : { limit: 600, sittings: 3, rounds: 4, seconds: 0.75, starts: 13, processes: 7, fetches: 1500 };

// Whatever ends this process ends all that it started.
process.once('exit', stopAll);
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const giveUp = () => {
  console.error(`Gave up after ${plan.limit} s: this machine is too slow or too busy for these figures.`);
  process.exit(1);
};
setTimeout(giveUp, plan.limit * 1000).unref();

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/gateway-mock-bench');
rmSync(folder, { recursive: true, force: true });
await bundle(folder);

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  node: process.version,
  load: loadTool,
  pinned: isPinned,
};
const notes = [
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}.`,
  `${plan.sittings} sittings with ${plan.rounds} interleaved rounds of ${plan.seconds} s each, by ${loadTool}, over 16 connections. "Ratio" is over a table's first line, the median of those of all rounds.`,
  '"busy" is the share of its core that the server had: where it is not about 1, the load is the limit, or another process.',
  'Before, all were seen to answer the same bytes; json-server answers the list alone, of equal records. Ours check the keys.',
];
if (loadTool !== 'wrk')
  notes.push(
    'The load tool is the limit of what is fast: for figures to trust, install wrk (apt-get install wrk).',
  );
if (!isPinned)
  notes.push('Nothing is pinned to a core (taskset): what serves and what asks disturb each other.');
console.log(`${notes.join('\n')}\n`);

const throughput = await measureThroughput(folder, plan);
const idle = throughput.filter(({ busy = [] }) => median(busy) < 0.9).map(({ name }) => name);
if (idle.length > 0)
  console.log(
    `Not to be trusted: the load, or something else on this machine, kept these waiting: ${idle.join('; ')}.\n`,
  );
const inProcess = await measureFetches(folder, { rounds: plan.processes, fetches: plan.fetches });
printFigures('in process, one intercepted fetch of that page', inProcess);
const starts = await measureStarts(folder, plan.starts);
printFigures('from spawn', starts);
const memory = await measureMemory(folder);
printFigures('a walk over 100,000 runs', memory);
const sessions = await measureSessions(folder);
printFigures('calls of sessions, over HTTP', sessions.calls);
printTable([
  ['10,000 sessions of 3 calls each, beyond one', 'MB', 'need', 'verdict'],
  ['journal: 0, all kept', sessions.memory.toFixed(0), '<= 100', sessions.memory <= 100 ? 'pass' : 'short'],
]);

const verdicts = needs.map(judgeBy([...throughput, ...inProcess, ...starts, ...memory, ...sessions.calls]));
printTable([
  ['what', 'ratio', 'need', 'verdict'],
  ...verdicts.map(({ what, ratio, need, verdict }) => [what, ratio.toFixed(3), need, verdict]),
]);

const ratios = Object.fromEntries(verdicts.map(({ what, ratio }) => [what, ratio]));
if (process.argv.includes('--compare')) console.log(`${describeChanges(ratios, isQuick)}\n`);
if (process.argv.includes('--update-baseline'))
  writeBaseline(ratios, isQuick, `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${loadTool}`);

/** @type {typeof import('../../src/index.ts')} */
const { createGateway } = await import(pathToFileURL(join(folder, 'index.js')).href);
const worlds = await benchWorlds(createGateway);

const results = {
  machine,
  quick: isQuick,
  verdicts,
  throughput,
  inProcess,
  starts,
  memory,
  sessions,
  worlds,
};
writeFileSync(join(root, 'bench-results.json'), `${JSON.stringify(results, null, 2)}\n`);
process.exit();

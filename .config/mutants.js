// Mutation testing: `npm run mutants -- src/core/protocol` changes the code in one small way after the other, and lists the
// changes that no test of `unit`, `worlds` and `transports` finds, nor of `--also cli,browser`. CONTRIBUTING says how to read it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { createVitest } from 'vitest/node';

/** @typedef {import('./mutants/job.js').TestLine} TestLine */
/** @typedef {'found' | 'survived' | 'never run'} Outcome */
/** @typedef {{ id: string, area: string, file: string, line: number, before: string, after: string, changed: string, outcome?: Outcome }} Mutant */

const root = fileURLToPath(new URL('..', import.meta.url));
const config = fileURLToPath(new URL('mutants/vitest.config.js', import.meta.url));

const { values: options, positionals: areas } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' }, // how many mutants of each area are tried: always the same ones
    without: { type: 'string', default: '' }, // files that are left out: their names, with commas between them
    tests: { type: 'string', default: '' }, // only these test files: their names, with commas between them
    also: { type: 'string', default: '' }, // projects that try what is left, such as cli,browser
    budget: { type: 'string', default: '10' }, // how many seconds of tests one mutant gets
  },
});
if (areas.length === 0)
  throw new Error(
    'Failed to start: say what is to be changed: folders or files, such as src/core/protocol. A comma joins two to one area.',
  );
const budget = Number(options.budget) * 1000;

/** How many test files one mutant gets in a process of its own: each of them has to be loaded. */
const maxFiles = 5;

const leftOut = options.without.split(',');

const work = mkdtempSync(join(tmpdir(), 'mutants-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** @param {string} path @returns {string[]} */
const sourcesOf = (path) =>
  (statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file))
  )
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
    .filter((file) => !leftOut.includes(basename(file)))
    .map((file) => resolve(file))
    .sort();

/** In one line, however many there were. @param {string} text */
const toLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Mutants that change nothing one could see, each in a line of its own: `FILE: CODE → CODE`, after which a comment may say why. */
const readEquivalents = () =>
  readFileSync(join(root, '.config/mutants/equivalent.txt'), 'utf8')
    .split('\n')
    .map((line) => toLine(line.split(' // ')[0] ?? ''));

/** @param {Mutant} mutant */
const describe = ({ file, before, after }) => `${file}: ${toLine(before)} → ${toLine(after)}`;

/** @param {string} text */
const hash = (text) => createHash('sha256').update(text).digest('hex');

/** @returns {Promise<{ mutants: Mutant[], instrumented: Record<string, string>, equivalent: Mutant[] }>} */
const makeMutants = async () => {
  const quiet = () => {};
  const isOff = () => false;
  const logger = { ...console, trace: quiet, debug: quiet, info: quiet, fatal: console.error };
  const levels = {
    isTraceEnabled: isOff,
    isDebugEnabled: isOff,
    isInfoEnabled: isOff,
    isWarnEnabled: isOff,
    isErrorEnabled: isOff,
    isFatalEnabled: isOff,
  };
  const areaOf = new Map(
    areas.flatMap((area) =>
      area
        .split(',')
        .flatMap(sourcesOf)
        .map((file) => [file, area]),
    ),
  );
  const files = [...areaOf.keys()].map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, 'utf8'),
  }));
  const made = await new Instrumenter({ ...logger, ...levels }).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  const lines = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  const all = made.mutants.map(({ id, fileName, location: { start, end }, replacement: after }) => {
    const source = lines.get(fileName) ?? [];
    const text = source.slice(start.line, end.line + 1);
    const rest = text.at(-1)?.slice(end.column) ?? '';
    text.push((text.pop() ?? '').slice(0, end.column));
    const ahead = text[0]?.slice(0, start.column) ?? '';
    text[0] = (text[0] ?? '').slice(start.column);
    const [above, below] = [source.slice(0, start.line), source.slice(end.line + 1)];
    const changed = [...above, ahead + after + rest, ...below].join('\n');
    const [area, file] = [areaOf.get(fileName) ?? '', relative(root, fileName)];
    return { id, area, file, line: start.line + 1, before: text.join('\n'), after, changed };
  });
  const known = new Set(readEquivalents());
  const chosen = areas.flatMap((area) =>
    all
      .filter((mutant) => mutant.area === area)
      .map((mutant, at) => ({ mutant, order: hash(`${describe(mutant)} ${at}`) }))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .slice(0, Number(options.sample ?? Number.POSITIVE_INFINITY))
      .map(({ mutant }) => mutant),
  );
  return {
    mutants: chosen.filter((mutant) => !known.has(describe(mutant))),
    equivalent: chosen.filter((mutant) => known.has(describe(mutant))),
    instrumented: Object.fromEntries(made.files.map(({ name, content }) => [name, content])),
  };
};

const { mutants, equivalent, instrumented } = await makeMutants();
writeFileSync(join(work, 'instrumented.json'), JSON.stringify(instrumented));
process.env.MUTANTS = work;
const vitest = await createVitest('test', { config, watch: false });

/**
 * Runs test files in a worker of their own, and kills it where nothing happens for so many seconds.
 *
 * @param {import('./mutants/job.js').Job} job
 * @param {{ files: readonly string[], patience: number }} how
 */
const runTests = async (job, { files, patience }) => {
  const log = join(work, 'log.jsonl');
  writeFileSync(log, '');
  writeFileSync(join(work, 'job.json'), JSON.stringify(job));
  /** @returns {import('./mutants/job.js').LogLine[]} */
  const readLog = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  let isHung = false;
  let seen = 0;
  let since = Date.now();
  const watch = setInterval(() => {
    const { size } = statSync(log);
    if (size !== seen) [seen, since] = [size, Date.now()];
    if (Date.now() - since < patience * 1000) return;
    isHung = true;
    since = Date.now();
    for (const line of readLog()) if (line.type === 'worker') kill(line.pid);
  }, 500);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    await vitest.globTestSpecifications([...files]),
  );
  clearInterval(watch);
  const isPassed = testModules.every((module) => module.ok()) && unhandledErrors.length === 0;
  return { lines: readLog(), isHung, isPassed };
};

/** @param {number} pid */
const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

/** @param {string} text */
const tell = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
tell(
  `${mutants.length} mutants in ${Object.keys(instrumented).length} files: every test is run twice without any.`,
);

const testFiles = options.tests.split(',').filter(Boolean);
const cover = await runTests({ type: 'cover', tries: {}, settled: [] }, { files: testFiles, patience: 300 });
const failed = cover.lines.find((line) => line.type === 'failed');
if (failed !== undefined || cover.isHung)
  throw new Error(
    `Failed to begin: the tests must pass without a mutant. ${failed?.type === 'failed' ? `"${failed.name}" does not.` : 'They hang.'}`,
  );
const tests = cover.lines.filter((line) => line.type === 'test');
const loading = cover.lines.filter((line) => line.type === 'file');

/**
 * The tests in the file of the same name, and as many others as there is time for, the quickest first.
 *
 * @param {Mutant} mutant
 * @param {readonly TestLine[]} candidates
 */
const choose = ({ file }, candidates) => {
  const own = resolve(root, file).replace(/\.tsx?$/, '.test.ts');
  let spent = 0;
  return candidates
    .toSorted((a, b) => a.ms - b.ms)
    .filter((test) => {
      if (test.file === own) return true;
      spent += test.ms;
      return spent - test.ms < budget;
    });
};

/** @type {Map<Mutant, readonly TestLine[]>} */
const chosen = new Map(
  mutants.map((mutant) => [
    mutant,
    choose(
      mutant,
      tests.filter(({ covered }) => Object.hasOwn(covered, mutant.id)),
    ),
  ]),
);
const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
tell(
  `${tests.length} tests; ${[...chosen.values()].filter(({ length }) => length > 0).length} mutants are met by them.`,
);

/** @type {Set<string>} those that are found, or that need a run of their own */
const settled = new Set();
const settle = (/** @type {string} */ id, /** @type {Outcome | undefined} */ outcome) => {
  settled.add(id);
  const mutant = byId.get(id);
  if (mutant !== undefined && outcome !== undefined) mutant.outcome = outcome;
};

/** A mutant and a test that did not find it. @type {Set<string>} */
const passed = new Set();

/** @param {(test: TestLine) => boolean} isNow */
const triesOf = (isNow) => {
  /** @type {Record<string, { ms: number, mutants: import('./mutants/job.js').Try[] }>} */
  const tries = {};
  for (const [{ id }, met] of chosen)
    for (const test of met)
      if (!settled.has(id) && !passed.has(`${id} ${test.test}`) && test.isRepeatable && isNow(test)) {
        tries[test.test] ??= { ms: test.ms, mutants: [] };
        tries[test.test]?.mutants.push({ mutant: id, hits: test.covered[id] ?? 0 });
      }
  return tries;
};

// Quick tests first: most mutants are found by one of them.
for (const [least, most] of /** @type {const} */ ([
  [0, 50],
  [50, 500],
  [500, Number.POSITIVE_INFINITY],
])) {
  for (;;) {
    const tries = triesOf(({ ms }) => ms >= least && ms < most);
    const files = [
      ...new Set(tests.filter(({ test }) => Object.hasOwn(tries, test)).map(({ file }) => file)),
    ];
    const { lines, isHung } =
      files.length === 0
        ? { lines: [], isHung: false }
        : await runTests({ type: 'try', tries, settled: [...settled] }, { files, patience: 60 });
    for (const line of lines) {
      if (line.type === 'killed') settle(line.mutant, 'found');
      if (line.type === 'doubtful') settle(line.mutant, undefined);
      if (line.type === 'passed') passed.add(`${line.mutant} ${line.test}`);
    }
    const last = lines.at(-1);
    if (isHung && last?.type === 'begins') settle(last.mutant, 'found'); // it never ends
    if (lines.length === 0) break;
  }
  tell(
    `By the tests of less than ${most} ms: ${mutants.filter(({ outcome }) => outcome === 'found').length} found.`,
  );
}

// What is met while the code is loaded or before a test, and what is in doubt, once more: in a process of its own, where it
// is switched on from the start.
const open = mutants.filter(({ outcome }) => outcome === undefined);
for (const [at, mutant] of open.entries()) {
  const loaders = loading.filter(({ covered }) => Object.hasOwn(covered, mutant.id)).map(({ file }) => file);
  const met = chosen.get(mutant) ?? [];
  if (loaders.length === 0 && !settled.has(mutant.id)) {
    mutant.outcome = met.length === 0 ? 'never run' : 'survived';
    continue;
  }
  const neighbours = mutants.filter(({ file }) => file === mutant.file);
  const near = tests.filter(
    ({ file, covered }) => loaders.includes(file) || neighbours.some(({ id }) => Object.hasOwn(covered, id)),
  );
  const wanted = new Set([...met, ...(loaders.length === 0 ? [] : choose(mutant, near))]);
  const files = [...new Set(Array.from(wanted, ({ file }) => file))].slice(0, maxFiles);
  const tries = Object.fromEntries(Array.from(wanted, ({ test, ms }) => [test, { ms, mutants: [] }]));
  const { isPassed } = await runTests(
    { type: 'fresh', tries, settled: [], fresh: mutant.id },
    { files, patience: 120 },
  );
  mutant.outcome = isPassed ? 'survived' : 'found';
  if (at % 10 === 9) tell(`${at + 1} of ${open.length} were run alone, or looked at.`);
}

// What is left, by the projects that build the code: it is changed in its file. Ctrl-C puts that back, too.
process.once('SIGINT', () => process.exit(130));
const projects = options.also.split(',').filter(Boolean);
for (const mutant of projects.length === 0 ? [] : mutants.filter(({ outcome }) => outcome !== 'found')) {
  const source = readFileSync(mutant.file, 'utf8');
  const args = ['vitest', 'run', '--bail', '1', ...projects.flatMap((name) => ['--project', name])];
  writeFileSync(mutant.file, mutant.changed);
  const { status, signal } = spawnSync('npx', [...args, ...testFiles], { stdio: 'ignore', timeout: 600_000 });
  writeFileSync(mutant.file, source);
  if (signal === 'SIGINT' || status === 130) break;
  mutant.outcome = status === 0 ? 'survived' : 'found';
  tell(`${mutant.outcome}: ${mutant.file}:${mutant.line}`);
}

for (const { file, line, before, after, outcome } of mutants)
  if (outcome !== 'found')
    console.log(
      `${outcome}: ${file}:${line}: ${toLine(before).slice(0, 160)} → ${toLine(after).slice(0, 160)}`,
    );
console.log('\n| area | found | of | equivalent |\n| --- | --- | --- | --- |');
for (const area of areas) {
  const all = mutants.filter((mutant) => mutant.area === area);
  const found = all.filter(({ outcome }) => outcome === 'found').length;
  const share = ((100 * found) / Math.max(1, all.length)).toFixed(1);
  console.log(
    `| ${area} | ${found} (${share} %) | ${all.length} | ${equivalent.filter((mutant) => mutant.area === area).length} |`,
  );
}
mkdirSync(join(root, '.mutants'), { recursive: true });
const report = join(
  '.mutants',
  `${areas
    .join(' ')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 100)}.json`,
);
const withoutCode = (/** @type {string} */ key, /** @type {unknown} */ value) =>
  key === 'changed' ? undefined : value;
writeFileSync(join(root, report), JSON.stringify({ mutants, equivalent }, withoutCode, 2));
console.log(`\nAll of them are in ${report}.`);
await vitest.close();
process.exitCode = 0; // Vitest's says that tests have failed, as they should

// Runs the tests with mutants, inside of Vitest. The driver (`../mutants.js`) says which, by a job, and reads from a log
// what came of it.

import { setMaxListeners } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestRunner } from 'vitest';

const { MUTANTS = '' } = process.env;
/** @type {import('./job.js').Job} */
const job = JSON.parse(readFileSync(join(MUTANTS, 'job.json'), 'utf8'));

/** What the code with mutants in it looks at: which of them is switched on, and which test is under way. */
/** @type {{ activeMutant?: string, currentTestId?: string, hitCount?: number, hitLimit?: number, mutantCoverage?: { perTest: Record<string, Record<string, number>> } }} */
const switches = {};
Reflect.set(globalThis, '__stryker__', switches);

const settled = new Set(job.settled);

/** @param {import('./job.js').LogLine} line */
const log = (line) => appendFileSync(join(MUTANTS, 'log.jsonl'), `${JSON.stringify(line)}\n`);

log({ type: 'worker', pid: process.pid });
setMaxListeners(0); // a test that is run a hundred times has as many signals of its end

/** @param {string} id */
const takeCoverage = (id) => {
  const covered = switches.mutantCoverage?.perTest[id] ?? {};
  if (switches.mutantCoverage !== undefined) delete switches.mutantCoverage.perTest[id];
  return covered;
};

/** @param {import('vitest').RunnerTestCase} test @param {boolean} isFailed whether it is to be run once more */
const goOn = (test, isFailed) => {
  if (test.result === undefined) return;
  test.result.state = isFailed ? 'fail' : 'pass';
  test.result.errors = isFailed ? [{ message: 'the next attempt' }] : [];
};

const manyTimes = 100_000;

/** A test that is meant to fail (`test.fails`) finds no mutant, and would be taken for one that is broken. */
/** @param {import('vitest').RunnerTask} task */
const skipExpectedFailures = (task) => {
  if (task.type === 'suite') task.tasks.forEach(skipExpectedFailures);
  else if (task.fails) task.mode = 'skip';
};

/** Each test twice, to know which mutants it meets, how long it takes, and whether it may be run again. */
class CoveringRunner extends TestRunner {
  /** @param {import('vitest').RunnerTestFile[]} files */
  onCollected(files) {
    files.forEach(skipExpectedFailures);
  }

  /** @param {import('vitest').RunnerTestFile} file */
  onCollectStart(file) {
    super.onCollectStart(file);
    switches.currentTestId = file.filepath;
  }

  /** @param {import('vitest').RunnerTestCase} test */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    test.retry = 1;
  }

  /** @param {import('vitest').RunnerTestCase} test */
  onBeforeTryTask(test) {
    super.onBeforeTryTask(test);
    this.start = performance.now();
    switches.currentTestId = test.id;
  }

  /** @param {import('vitest').RunnerTestCase} test @param {{ retry: number }} attempt */
  onAfterRetryTask(test, { retry }) {
    const isFailed = test.result?.state === 'fail';
    const covered = takeCoverage(test.id);
    switches.currentTestId = test.file.filepath;
    if (retry === 0) {
      this.first = { ms: Math.ceil(performance.now() - (this.start ?? 0)), covered };
      if (isFailed) log({ type: 'failed', test: test.id, name: test.fullName });
      goOn(test, !isFailed);
      return;
    }
    const { ms = 0, covered: met = {} } = this.first ?? {};
    const { filepath: file } = test.file;
    log({
      type: 'test',
      test: test.id,
      name: test.fullName,
      file,
      ms,
      covered: met,
      isRepeatable: !isFailed,
    });
    goOn(test, false);
  }

  /** @param {import('vitest').RunnerTestFile[]} files */
  onAfterRunFiles(files) {
    super.onAfterRunFiles();
    for (const { filepath } of files) log({ type: 'file', file: filepath, covered: takeCoverage(filepath) });
  }
}

/** Of a suite, what no mutant is to be tried with is left out. */
/** @param {import('vitest').RunnerTask} task @returns {boolean} whether anything of it is run */
const keepWanted = (task) => {
  const isWanted =
    task.type === 'suite' ? task.tasks.filter(keepWanted).length > 0 : Object.hasOwn(job.tries, task.id);
  if (!isWanted) task.mode = 'skip';
  return isWanted;
};

class ChosenRunner extends TestRunner {
  /** @param {import('vitest').RunnerTestFile[]} files */
  onCollected(files) {
    files.forEach(keepWanted);
  }
}

/** Each test with one mutant after the other, and without any after each that it found. */
class TryingRunner extends ChosenRunner {
  /** @type {import('./job.js').Try[]} */
  left = [];
  /** @type {import('./job.js').Try | undefined} */
  tried;
  limit = 0;

  /** @param {import('vitest').RunnerTestCase} test */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    const { ms = 0, mutants = [] } = job.tries[test.id] ?? {};
    this.left = mutants.filter(({ mutant }) => !settled.has(mutant));
    this.limit = 5000 + 10 * ms;
    if (this.left.length === 0) test.mode = 'skip';
    test.retry = manyTimes;
  }

  /** @param {import('vitest').RunnerTestCase} test @param {{ retry: number }} attempt */
  onBeforeTryTask(test, { retry }) {
    super.onBeforeTryTask(test);
    const isCheck = retry > 0 && this.tried !== undefined; // what the mutant left behind must not fail the test
    this.isCheck = isCheck;
    if (!isCheck) {
      this.tried = this.left.shift();
      if (this.tried === undefined) return;
      log({ type: 'begins', mutant: this.tried.mutant, test: test.id });
      switches.hitCount = 0;
      switches.hitLimit = 1000 + 100 * this.tried.hits;
      switches.activeMutant = this.tried.mutant;
    }
  }

  /** @param {import('vitest').RunnerTestCase} test */
  async runTask(test) {
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it takes too long')), this.limit);
    });
    try {
      await Promise.race([TestRunner.getTestFn(test)(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {import('vitest').RunnerTestCase} test */
  onAfterRetryTask(test) {
    const isFailed = test.result?.state === 'fail';
    const mutant = this.tried?.mutant ?? '';
    switches.activeMutant = '';
    if (this.isCheck) {
      this.tried = undefined;
      settled.add(mutant);
      log({ type: isFailed ? 'doubtful' : 'killed', mutant, test: test.id });
      if (isFailed) process.exit(1); // the world of the tests is broken: the driver begins another one
    } else if (!isFailed && mutant !== '') {
      this.tried = undefined;
      log({ type: 'passed', mutant, test: test.id });
    }
    goOn(test, this.tried !== undefined || this.left.length > 0);
  }
}

/** One mutant from the start, and the tests that may find it. */
class FreshRunner extends ChosenRunner {
  /** @param {ConstructorParameters<typeof TestRunner>[0]} config */
  constructor(config) {
    super(config);
    switches.activeMutant = job.fresh ?? '';
    switches.hitCount = 0;
    switches.hitLimit = 3_000_000;
  }

  /** @param {import('vitest').RunnerTestCase} test */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    log({ type: 'begins', mutant: job.fresh ?? '', test: test.id }); // so that a hang is seen
  }
}

export default { cover: CoveringRunner, try: TryingRunner, fresh: FreshRunner }[job.type];

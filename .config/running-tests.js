// A reporter for a run that hangs, such as in a loop that lets no timeout through: it tells which tests were running, and
// ends the run. Only a worker itself surely knows what it has begun: test/support/note-running.ts.
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @import { Reporter } from 'vitest/node' */
/** @typedef {{ readonly file: string, readonly name: string }} Running */

/** @implements {Reporter} */
export class RunningTests {
  #limit;
  #folder = '';
  /** The files under way. */
  #files = new Set(/** @type {string[]} */ ([]));
  #isOver = false;

  /** @param {() => Promise<unknown>} limit resolves when a run has taken too long */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-running-'));
    this.#folder = folder;
    process.once('exit', () => {
      // Renamed first: after Ctrl-C the workers still write, and a folder that fills up cannot be removed.
      renameSync(folder, `${folder}-over`);
      rmSync(`${folder}-over`, { recursive: true });
    });
    vitest.provide('runningFolder', folder);
    if (!vitest.config.watch)
      void this.#limit().then(() => {
        if (!this.#isOver) this.#giveUp();
      });
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued({ moduleId }) {
    this.#files.add(moduleId);
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd({ moduleId }) {
    this.#files.delete(moduleId);
  }

  onTestRunEnd() {
    this.#isOver = true;
  }

  #giveUp() {
    const notes = readdirSync(this.#folder).map((pid) => {
      /** @type {Running} */
      const { file, name } = JSON.parse(readFileSync(join(this.#folder, pid), 'utf8'));
      return { pid: Number(pid), file, name };
    });
    const lines = [...this.#files].map((file) => {
      const name = notes.find((note) => note.file === file)?.name;
      return `  ${file}${name === undefined ? ', before its first test' : ` > ${name}`}\n`;
    });
    process.stderr.write(`The run takes too long, and is ended. These were running:\n${lines.join('')}`);
    for (const { pid } of notes) end(pid);
    process.exit(1);
  }
}

/** A worker in a loop does not hear that its run is over. @param {number} pid */
const end = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

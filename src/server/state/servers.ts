import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStopwatch } from '../../util/stopwatch.ts';
import { createWorldId } from '../../world/world-id.ts';
import { codeOf, readIfAny } from './files.ts';

/** How often a server shows that it is alive, and looks at the others, in milliseconds. */
const beatEvery = 1000;

/** After how many looks without a change a server counts as dead. */
const maxMissed = 10;

/** After how many milliseconds a claim without an id is that of a server which ended, or lost power, while it wrote it. */
const maxEmpty = 10_000;

const isId = (file: string): boolean => /^[\da-f]{12}$/.test(file);

/**
 * The servers of one state directory. Each has a file of its own, which it changes every second. Who finds it unchanged for ten
 * seconds removes it: from then on that server is dead, and learns so before it answers its next call. No clocks are compared.
 */
export class Servers {
  readonly #folder: string;
  readonly #onDead: () => void;
  /** What the files of the others said when they last changed, and how many looks ago that was. */
  readonly #seen = new Map<string, { readonly text: string; missed: number }>();
  /** The id of this server. It gets another one if it was found dead. */
  id = createWorldId();
  #beats = 0;
  #lastBeat = readStopwatch();

  /** @param onDead called when this server learns that it was found dead */
  constructor(folder: string, onDead: () => void) {
    this.#folder = folder;
    this.#onDead = onDead;
    mkdirSync(folder, { recursive: true });
    this.#begin();
  }

  isAlive(id: string): boolean {
    return isId(id) && existsSync(this.#pathOf(id));
  }

  /** Whether a server that is alive has written its id into this file, or is just doing so. */
  isHeld(path: string, id: string): boolean {
    if (id !== '') return this.isAlive(id);
    // The times of two files, since the clock of the file system may differ from that of this machine.
    const [written, now] = [path, this.path].map((file) => statSync(file, { throwIfNoEntry: false }));
    return written === undefined || now === undefined || now.mtimeMs - written.mtimeMs <= maxEmpty;
  }

  /** Call this before each answer: a server that stood still looks first whether it was found dead. */
  beatIfLate(): void {
    if (readStopwatch() - this.#lastBeat > (beatEvery * maxMissed) / 2) this.beat();
  }

  /** Shows that this server is alive. @throws Error if the directory cannot be written */
  beat(): void {
    this.#lastBeat = readStopwatch(); // first, so that a failure is not repeated at every call
    this.#beats += 1;
    try {
      writeFileSync(this.#pathOf(this.id), String(this.#beats), { flag: 'r+' });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      this.id = createWorldId();
      try {
        this.#begin();
      } finally {
        this.#onDead();
      }
    }
  }

  /** The file is never empty: to change what is in it takes no room, so a disk that fills up ends no server. */
  #begin(): void {
    writeFileSync(this.path, '0', { flag: 'wx' });
  }

  /** Shows that this server is alive, and looks at the others. @throws Error if the directory cannot be used */
  look(): void {
    this.beat();
    for (const id of this.#others()) {
      const text = readIfAny(this.#pathOf(id));
      const seen = this.#seen.get(id);
      if (text === undefined) this.#seen.delete(id);
      else if (seen?.text !== text) this.#seen.set(id, { text, missed: 0 });
      else if (seen.missed < maxMissed) seen.missed += 1;
      else this.#remove(id);
    }
  }

  /** Calls back every second, for `look`. Returns a function that stops it. */
  every(look: () => void): () => void {
    const timer = setInterval(look, beatEvery);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Ends this server. What it still holds is lost. */
  end(): void {
    this.#remove(this.id);
  }

  #remove(id: string): void {
    rmSync(this.#pathOf(id), { force: true });
    this.#seen.delete(id);
  }

  /** Whether other servers share the directory. */
  hasOthers(): boolean {
    return this.#others().length > 0;
  }

  #others(): string[] {
    return readdirSync(this.#folder).filter((file) => isId(file) && file !== this.id);
  }

  /** The file of this server. */
  get path(): string {
    return this.#pathOf(this.id);
  }

  #pathOf(id: string): string {
    return join(this.#folder, id);
  }
}

import { createHmac } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import type { StoredJournal } from '../../../core/journal/journal.ts';
import { GatewayError } from '../../../core/protocol/errors.ts';
import { defaultSession, isSessionName } from '../../../core/protocol/session-name.ts';
import { messageOf, nodeCodeOf } from '../../../core/util/message-of.ts';
import { endSentence } from '../../../core/util/sentence.ts';
import { readWallClock } from '../../../core/util/stopwatch.ts';
import { createWorldId } from '../../../core/world/world-id.ts';
import type { Session } from '../../control/session.ts';
import { toLostError, toUnreadableError } from '../../control/session-errors.ts';
import {
  type SessionStore,
  type StoredSession,
  type StoredState,
  toStoredState,
} from '../../control/session-store.ts';
import { fromFileName, makeFolder, parseValue, readIfAny, readKey, toFileName, writeValue } from './files.ts';

/** How long changes wait before they are written, in milliseconds: one write then serves many of them. */
const writeAfter = 500;

/** The time without an update of its lock after which a server counts as killed, in milliseconds. Its successor waits as long. */
const staleAfter = 5000;

/** The number of days without use after which the files of a session are removed. */
const keptDays = 30;

/** Called with a message if something could not be stored or read. */
export type Report = (message: string) => void;

/**
 * The directory in which one server keeps its sessions. Of a session there are at most these files:
 * - `NAME.json`: its state, without its journal.
 * - `NAME.journal`: its journal, while it is not in memory.
 * - `NAME.changed`: an empty mark. The session has a change that `NAME.json` lacks, so a kill of its server loses it.
 * - `NAME.new`: a file that is being written.
 * - `NAME.lost`: a file of the default session that could not be read.
 */
export class StateDir implements SessionStore {
  readonly #path: string;
  readonly #folder: string;
  readonly #lockPath: string;
  readonly #idPath: string;
  readonly #version: string;
  readonly #print: Report;
  /** The messages so far, so that each is reported once: a full disk would be reported for each session, every second. */
  readonly #reported = new Set<string>();
  #unlock: (() => Promise<void>) | undefined;
  /** Written into the file `server`, until another server takes the directory. */
  readonly #id = createWorldId();
  /** The secret of this directory, for the digests of masked values. */
  #key = '';
  #isClosed = false;
  /** The sessions to write, and whether they are marked as changed. */
  readonly #waiting = new Map<string, { readonly session: Session; readonly isMarked: boolean }>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, version: string, report: Report) {
    this.#path = path;
    this.#folder = join(path, 'sessions');
    this.#lockPath = join(path, 'lock');
    this.#idPath = join(path, 'server');
    this.#version = version;
    this.#print = report;
  }

  /** @throws Error if the directory cannot be used, or another server uses it */
  static async open(path: string, version: string, report: Report): Promise<StateDir> {
    const directory = new StateDir(path, version, report);
    try {
      makeFolder(resolve(directory.#folder));
      await directory.#lock();
      writeFileSync(directory.#idPath, directory.#id);
      directory.#key = readKey(join(path, 'key'));
      directory.#removeOld();
    } catch (error) {
      await directory.#unlock?.();
      const reason =
        nodeCodeOf(error) === 'ELOCKED'
          ? `another server uses it. Stop that server, or choose another directory. If there is none, remove ${directory.#lockPath}.`
          : `${messageOf(error)}. Choose a directory that can be written.`;
      throw new Error(`Failed to use the state directory "${path}": ${reason}`);
    }
    return directory;
  }

  read(name: string): StoredSession | undefined {
    try {
      return this.#read(name);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      const code = nodeCodeOf(error);
      if (code !== undefined && name === defaultSession) throw error;
      if (code !== undefined) {
        this.#report(`Failed to read the session "${name}": ${messageOf(error)}.`);
        throw toUnreadableError(name, code);
      }
      if (name === defaultSession) this.#setAside(messageOf(error));
      throw toLostError(name, messageOf(error));
    }
  }

  noteResumed(name: string): void {
    this.#try('remove the journal of', name, () => rmSync(this.#pathOf(name, 'journal'), { force: true }));
  }

  noteBegun(session: Session): void {
    this.#wait(session, false);
  }

  storeSoon(session: Session): void {
    if (this.#waiting.get(session.name)?.isMarked) return;
    const isMarked = this.#try('mark', session.name, () =>
      writeFileSync(this.#pathOf(session.name, 'changed'), ''),
    );
    this.#wait(session, isMarked);
  }

  put(session: Session): boolean {
    return this.#try('store', session.name, () => {
      this.#writeState(session);
      const journal = session.journal.toStored(this.#digest);
      writeValue(this.#pathOf(session.name, 'journal'), journal, this.#version);
    });
  }

  remove(name: string): boolean {
    this.#waiting.delete(name);
    const wasStored = existsSync(this.#pathOf(name, 'json'));
    this.#try('remove', name, () => {
      for (const ending of ['json', 'journal', 'changed', 'new'])
        rmSync(this.#pathOf(name, ending), { force: true });
    });
    return wasStored;
  }

  clear(): void {
    for (const name of new Set([...this.names(), ...this.#waiting.keys()]))
      if (this.#waiting.has(name) || !existsSync(this.#pathOf(name, 'changed'))) this.remove(name);
  }

  names(): string[] {
    if (!this.#isOurs()) return [];
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'));
    return files.map((file) => fromFileName(file.slice(0, -'.json'.length))).filter(isSessionName);
  }

  /** Writes the sessions that are in memory, and lets another server use the directory. */
  async close(inMemory: Iterable<Session> = []): Promise<void> {
    if (this.#isClosed) return;
    this.#reported.clear(); // what cannot be stored now is lost, also if it was reported before
    for (const session of [...inMemory]) {
      this.put(session);
      await setImmediate(); // the lock has to be updated in time
    }
    for (const { session } of this.#waiting.values())
      this.#try('store', session.name, () => this.#writeState(session));
    clearTimeout(this.#timer);
    this.#isClosed = true;
    if (this.#isOurs()) await this.#unlock?.().catch(() => {}); // the loss of the lock was reported already
    this.#unlock = undefined;
  }

  /** Masked values are compared, but not stored: nobody can read them in the files. */
  readonly #digest = (value: string): string => createHmac('sha256', this.#key).update(value).digest('hex');

  /** A server that was killed cannot unlock: its lock gets stale. Process ids would not do, since in a container each is 1. */
  async #lock(): Promise<void> {
    this.#unlock = await lockfile.lock(this.#path, {
      lockfilePath: this.#lockPath,
      stale: staleAfter,
      update: 1000,
      retries: { retries: staleAfter / 500 + 2, factor: 1, minTimeout: 500 },
      onCompromised: () => {
        this.#unlock = undefined;
        this.#report(`${this.#describeLoss()} The sessions of this server are not stored any more.`);
      },
    });
  }

  /** A server that was paused runs for a while before it notices that its lock was taken. */
  #isOurs(): boolean {
    return this.#unlock !== undefined && readIfAny(this.#idPath) === this.#id;
  }

  #describeLoss(): string {
    return existsSync(this.#folder)
      ? `Another server has taken the state directory "${this.#path}", since this server was paused.`
      : `The state directory "${this.#path}" has disappeared.`;
  }

  #wait(session: Session, isMarked: boolean): void {
    this.#waiting.set(session.name, { session, isMarked });
    this.#timer ??= setTimeout(() => this.#writeNext(), writeAfter).unref();
  }

  /** Writes one session at a time, so that calls are answered in between. */
  #writeNext(): void {
    this.#timer = undefined;
    const [next] = this.#waiting.values();
    if (next === undefined || this.#unlock === undefined) return;
    const { name } = next.session;
    const isWritten = this.#try('store', name, () => this.#writeState(next.session));
    // After a failure, the other sessions come first.
    if (!isWritten && this.#waiting.delete(name)) this.#waiting.set(name, next);
    if (this.#waiting.size > 0)
      this.#timer = setTimeout(() => this.#writeNext(), isWritten ? 0 : 1000).unref();
  }

  #writeState(session: Session): void {
    writeValue(this.#pathOf(session.name, 'json'), toStoredState(session), this.#version);
    rmSync(this.#pathOf(session.name, 'changed'), { force: true });
    this.#waiting.delete(session.name);
  }

  #read(name: string): StoredSession | undefined {
    if (!this.#isOurs() && existsSync(this.#folder))
      throw toUnreadableError(name, 'another server may use it');
    if (existsSync(this.#pathOf(name, 'changed')))
      throw new Error('its server was killed before it wrote the last change');
    const text = readIfAny(this.#pathOf(name, 'json'));
    if (text === undefined) {
      rmSync(this.#pathOf(name, 'journal'), { force: true }); // somebody removed the other file
      return undefined;
    }
    const state = parseValue(text, this.#version) as StoredState; // the checksum shows that this version wrote it
    if (state.name !== name) throw new Error(`its file is that of the session "${state.name}"`);
    const journal = readIfAny(this.#pathOf(name, 'journal'));
    if (journal === undefined) return { ...state, journal };
    return {
      ...state,
      journal: { ...(parseValue(journal, this.#version) as StoredJournal), digest: this.#digest },
    }; // as above
  }

  /** The default session is always there: if its file cannot be used, it begins again. */
  #setAside(reason: string): void {
    const [path, other] = [this.#pathOf(defaultSession, 'json'), this.#pathOf(defaultSession, 'lost')];
    if (existsSync(path)) renameSync(path, other);
    this.remove(defaultSession);
    const renamed = existsSync(other) ? ` Its file was renamed to ${other}.` : '';
    this.#report(`The default session is lost and begins again: ${reason}.${renamed}`);
  }

  /** Removes the sessions that nobody has used for long. */
  #removeOld(): void {
    const [files, oldest] = [readdirSync(this.#folder), readWallClock() - keptDays * 24 * 3600 * 1000];
    const sessionOf = (file: string): string => file.replace(/\.\w+$/, '');
    const isUsed = (file: string): boolean => lstatSync(join(this.#folder, file)).mtimeMs > oldest;
    const used = new Set(files.filter(isUsed).map(sessionOf));
    const old = files.filter((file) => !used.has(sessionOf(file)));
    for (const file of old) rmSync(join(this.#folder, file), { force: true, recursive: true });
    const count = new Set(old.map(sessionOf)).size;
    if (count > 0)
      this.#report(`Removed sessions from the state directory: ${count}, unused for ${keptDays} days.`);
  }

  /** Returns whether it succeeded. A failure is reported, and serving continues. A server that was closed stores nothing. */
  #try(verb: string, name: string, act: () => void): boolean {
    if (this.#isClosed) return false;
    try {
      if (!this.#isOurs()) throw new Error(this.#describeLoss());
      act();
      return true;
    } catch (error) {
      const reason = existsSync(this.#folder) ? messageOf(error) : this.#describeLoss();
      this.#report(`Failed to ${verb} the session "${name}": ${endSentence(reason)}`);
      return false;
    }
  }

  #report(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#print(message);
  }

  #pathOf(name: string, ending: string): string {
    return join(this.#folder, `${toFileName(name)}.${ending}`);
  }
}

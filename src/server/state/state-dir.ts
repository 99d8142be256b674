import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeHeld, describeLost } from '../../control/session-refusals.ts';
import type { SessionStore, StoredSession } from '../../control/session-store.ts';
import { GatewayError } from '../../protocol/errors.ts';
import { messageOf } from '../../util/message-of.ts';
import {
  codeOf,
  fromFileName,
  fromFileText,
  readIfAny,
  toFileName,
  toFileText,
  writeWhole,
} from './files.ts';
import { Servers } from './servers.ts';
import { sweep } from './sweep.ts';

/** How many servers can share a directory. */
const maxServers = 1000;

/** Called with what could not be stored or read. */
export type Report = (message: string) => void;

/**
 * A directory of sessions that no server has in memory. Of a session there are at most these files:
 * - `NAME.owner`: the id of the server that holds it. It is created exclusively, and who has it may touch the others.
 * - `NAME.json`: the session, if it is stored.
 * - `NAME.lost`: why it is lost, until it is created again.
 */
export class StateDir implements SessionStore {
  readonly #sessions: string;
  readonly #wanted: string;
  readonly #version: string;
  readonly #report: Report;
  readonly servers: Servers;
  /** The names of the sessions for which this server has asked. */
  readonly #asked = new Set<string>();
  /** Set while the server stops: it takes no more sessions. */
  isClosing = false;

  /** @throws Error if the directory cannot be used */
  constructor(path: string, version: string, report: Report, onDead: () => void) {
    this.#sessions = join(path, 'sessions');
    this.#wanted = join(path, 'wanted');
    this.#version = version;
    this.#report = report;
    for (const folder of [this.#sessions, this.#wanted]) mkdirSync(folder, { recursive: true });
    this.servers = new Servers(join(path, 'servers'), onDead);
  }

  take(name: string): StoredSession | undefined {
    if (!['owner', 'json', 'lost'].some((kind) => existsSync(this.#pathOf(name, kind)))) return undefined;
    return this.#guard(name, () => {
      this.#checkOpen(name);
      this.#claim(name);
      try {
        const reason = readIfAny(this.#pathOf(name, 'lost'));
        if (reason !== undefined) throw describeLost(name, reason);
        const text = readIfAny(this.#pathOf(name, 'json'));
        const stored = text === undefined ? undefined : this.#read(name, text);
        if (stored === undefined) this.release(name);
        else rmSync(this.#pathOf(name, 'json')); // it would be out of date
        return stored;
      } catch (error) {
        this.release(name);
        throw error;
      }
    });
  }

  hold(name: string, isAnew = false): boolean {
    try {
      this.#checkOpen(name);
      this.#claim(name);
      const isStored = existsSync(this.#pathOf(name, 'json'));
      const isLost = existsSync(this.#pathOf(name, 'lost'));
      if (!isAnew && (isStored || isLost)) {
        this.release(name);
        throw describeHeld(name, 'another server has just stored it');
      }
      for (const kind of ['json', 'lost']) rmSync(this.#pathOf(name, kind), { force: true });
      return isStored;
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      this.#report(`Failed to hold the session "${name}": ${messageOf(error)}.`); // it is served all the same
      return false;
    }
  }

  release(name: string): void {
    try {
      const path = this.#pathOf(name, 'owner');
      if (readIfAny(path) !== this.servers.id) return;
      rmSync(path);
      rmSync(join(this.#wanted, toFileName(name)), { force: true });
    } catch (error) {
      this.#report(`Failed to release the session "${name}": ${messageOf(error)}.`);
    }
  }

  /** Stores a session, and releases it. @throws GatewayError 503 if another server holds it, Error if that fails */
  async put(stored: StoredSession, name = stored.name): Promise<void> {
    if (readIfAny(this.#pathOf(name, 'owner')) !== this.servers.id) this.#claim(name);
    await writeWhole(this.#pathOf(name, 'json'), toFileText(stored, this.#version));
    this.release(name);
  }

  /** Removes what nobody has touched for a week. @throws Error if the directory cannot be used */
  sweep(): Promise<void> {
    const isHeld = (path: string): boolean =>
      path.endsWith('.owner') && this.servers.isHeld(path, readIfAny(path) ?? '');
    return sweep([this.#sessions, this.#wanted], this.servers.path, isHeld);
  }

  /** The names of the sessions for which other servers ask. @throws Error if the directory cannot be read */
  wanted(): string[] {
    return readdirSync(this.#wanted).map(fromFileName);
  }

  /**
   * Holds a default session. Each server has one of its own, so these have numbers. Those that are stored come first.
   *
   * @returns its name in the store, and what is stored of it
   * @throws Error if the directory cannot be used
   */
  takeDefault(): { readonly name: string; readonly stored: StoredSession | undefined } {
    const stored = readdirSync(this.#sessions).filter((file) => /^=\d+\.json$/.test(file));
    for (const file of stored.sort()) {
      const name = file.slice(0, -'.json'.length);
      const session = tryUnlessRefused(() => this.take(name));
      if (session !== undefined) return { name, stored: session };
    }
    return { name: this.holdDefault(), stored: undefined };
  }

  /** Holds a default session that begins, and returns its name in the store. */
  holdDefault(): string {
    for (let number = 1; number <= maxServers; number += 1) {
      const name = `=${number}`;
      if (tryUnlessRefused(() => [this.hold(name)]) !== undefined) return name;
    }
    throw new Error(`at most ${maxServers} servers can share it`);
  }

  #checkOpen(name: string): void {
    if (this.isClosing) throw describeHeld(name, 'this server is stopping');
  }

  /** @throws GatewayError 503 if another server holds it */
  #claim(name: string): void {
    const path = this.#pathOf(name, 'owner');
    for (let tries = 1; tries <= 3; tries += 1) {
      try {
        writeFileSync(path, this.servers.id, { flag: 'wx' });
        if (this.#asked.delete(name)) rmSync(join(this.#wanted, toFileName(name)), { force: true });
        return;
      } catch (error) {
        if (codeOf(error) === 'ENOSPC') rmSync(path, { force: true }); // it was created, but is empty
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const owner = readIfAny(path);
      if (owner === this.servers.id) throw describeHeld(name, 'it is being stored');
      if (owner !== undefined && this.servers.isHeld(path, owner)) this.#ask(name);
      if (owner !== undefined) this.#bury(name, owner);
    }
    throw describeHeld(name, 'other servers want it, too');
  }

  /** Asks the server that holds a session to hand it on. @throws GatewayError 503 always */
  #ask(name: string): never {
    if (!name.startsWith('=')) {
      writeFileSync(join(this.#wanted, toFileName(name)), '');
      this.#asked.add(name);
    }
    throw describeHeld(name, 'another server holds it, and was asked to hand it on');
  }

  /** Ends the claim of a dead server. What it had stored is whole; otherwise the session is lost. */
  #bury(name: string, dead: string): void {
    const lock = this.#pathOf(name, 'lock'); // so that nobody ends the claim of a later owner
    const locker = readIfAny(lock);
    if (locker !== undefined && !this.servers.isHeld(lock, locker)) rmSync(lock, { force: true });
    try {
      writeFileSync(lock, this.servers.id, { flag: 'wx' });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw describeHeld(name, 'another server looks after it');
      throw error;
    }
    try {
      const owner = this.#pathOf(name, 'owner');
      if (readIfAny(owner) !== dead) return;
      if (!existsSync(this.#pathOf(name, 'json'))) this.#lose(name, 'its server ended without storing it');
      rmSync(owner);
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #lose(name: string, reason: string): void {
    if (name.startsWith('=')) return; // another default session begins in its place
    writeFileSync(this.#pathOf(name, 'lost'), reason);
  }

  /** @throws GatewayError 410 if the file cannot be read; it is kept under another name */
  #read(name: string, text: string): StoredSession {
    try {
      const stored = fromFileText(text, this.#version);
      if (stored.name !== name && !name.startsWith('='))
        throw new Error(`its file is that of the session "${stored.name}"`);
      return stored;
    } catch (error) {
      const broken = this.#pathOf(name, 'broken');
      this.#lose(name, messageOf(error));
      renameSync(this.#pathOf(name, 'json'), broken);
      this.#report(`The session "${name}" is lost: ${messageOf(error)}. It was renamed to ${broken}.`);
      throw describeLost(name, messageOf(error));
    }
  }

  /** Refuses the call if the directory cannot be used: a stored session must not begin anew. */
  #guard<Value>(name: string, use: () => Value): Value {
    try {
      return use();
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      this.#report(`Failed to take the session "${name}" from the store: ${messageOf(error)}.`);
      throw describeHeld(name, 'the state directory cannot be used');
    }
  }

  #pathOf(name: string, kind: string): string {
    return join(this.#sessions, `${toFileName(name)}.${kind}`);
  }
}

const tryUnlessRefused = <Value>(use: () => Value): Value | undefined => {
  try {
    return use();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

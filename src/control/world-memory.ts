import { ControlError } from '../protocol/errors.ts';
import { countRecords } from '../scenario/further-mistakes.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { kinds, type WholeScenario } from '../scenario/schema.ts';
import { originOf, sectionOf } from '../world/base.ts';
import type { WorldScenario } from '../world/scenario.ts';
import type { PreviousWorld, SavedState, Session } from './session.ts';
import { exportState } from './world-state.ts';

/** What a text, object or list takes beside its content, and a fault beside its line, in bytes (measured). */
const [valueSize, faultSize] = [80, 600];

/** What a seeded record counts, in bytes. It takes up to ten times as much, but 250,000 must fit in by default. */
const seededSize = 400;

/** What a record takes in a list that a world has copied to change it, in bytes. */
export const placeSize = 8;

/** About how much memory a value of JSON takes, in bytes. */
export const memoryOf = (value: unknown): number => {
  if (typeof value === 'string') return valueSize + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = valueSize;
  for (const [key, inner] of Object.entries(value))
    size += memoryOf(inner) + (Array.isArray(value) ? 0 : key.length);
  return size;
};

/** The scenarios of servers, whose seeded records are there anyway. */
const served = new WeakSet<WorldScenario>();

/** Notes that a scenario is one of the server's, not of a client. */
export const noteServed = ({ whole }: LoadedScenario): void => {
  served.add(whole);
};

/** About how much memory a scenario takes with its seeded records, unless it is one of the server's, in bytes. */
export const sizeOfScenario = (whole: WholeScenario): number => {
  const origin = originOf(whole);
  const seeded = served.has(origin) ? sizeOfCopies(whole, origin) : seededSize * countAll(whole);
  return memoryOf(whole) + faultSize * whole.faults.length + seeded;
};

const countAll = (whole: WholeScenario): number =>
  kinds.reduce((count, kind) => count + countRecords(kind, whole), 0);

/** About how much memory the lists take that a scenario shares with another one, save for their places if it changes them, in bytes. */
export const sizeOfCopies = (whole: WorldScenario, origin: WorldScenario): number =>
  kinds
    .filter((kind) => sectionOf(kind, whole) !== sectionOf(kind, origin))
    .reduce((size, kind) => size + placeSize * countRecords(kind, whole), 0);

/** About how much memory a session's world takes beside the scenarios of the server, in bytes. */
export const sizeOfWorld = (session: Session): number => {
  const { scenario } = session.state.world.start;
  const copies = sizeOfCopies(scenario, session.start.whole);
  return sizeOfState(session) + copies + placeSize * session.state.world.places();
};

/** About how much memory the state of a session takes, if it is saved, in bytes. */
export const sizeOfState = (session: Session): number => {
  const { whole } = exportState(session);
  const changed = Object.entries(whole).filter(
    ([part, value]) => value !== Reflect.get(session.start.whole, part),
  );
  return session.startSize + memoryOf(Object.fromEntries(changed)) + faultSize * whole.faults.length;
};

type Holder = Session | SavedState | PreviousWorld;

/** What was written into the worlds of a gateway, and their saved states, may take so much of the memory for journals. */
const share = 1 / 2;

/**
 * The memory that the worlds of a gateway share with their saved states. What is written is counted, whatever it replaces. Only
 * when there is no room left, the changed worlds are measured.
 */
export class WorldMemory {
  readonly #max: number;
  #used = 0;
  readonly #sizes = new Map<Holder, number>();
  /** The sessions that keep the world before their last restart. */
  readonly #withPrevious = new Set<Session>();
  /** The sessions whose worlds may take less than was counted. */
  readonly #changed = new Set<Session>();

  /** @param journalMegabytes may be a fraction */
  constructor(journalMegabytes: number) {
    this.#max = journalMegabytes * 1_000_000 * share;
  }

  /** How many bytes a world or a saved state takes. */
  of(holder: Holder): number {
    return this.#sizes.get(holder) ?? 0;
  }

  set(holder: Holder, bytes: number): void {
    this.#used += bytes - this.of(holder);
    if (bytes === 0) this.#sizes.delete(holder);
    else this.#sizes.set(holder, bytes);
  }

  /** Counts what was written into a world. */
  add(session: Session, bytes: number): void {
    this.set(session, this.of(session) + bytes);
    this.noteChange(session);
  }

  /** Notes that a world may take less than was counted. */
  noteChange(session: Session): void {
    if (this.#sizes.has(session)) this.#changed.add(session);
  }

  /** Keeps the world of a session, which is about to be replaced, until memory is short. */
  keepPrevious(session: Session): void {
    this.dropPrevious(session);
    const { start, state, startSize } = session;
    session.previous = { start, state, startSize };
    this.set(session.previous, this.of(session));
    this.#withPrevious.add(session);
  }

  /** Drops the world before the last restart. */
  dropPrevious(session: Session): void {
    if (session.previous !== undefined) this.set(session.previous, 0);
    session.previous = undefined;
    this.#withPrevious.delete(session);
  }

  /** Gives back what a session takes that has ended. */
  end(session: Session): void {
    this.dropPrevious(session);
    for (const state of session.saved.values()) this.set(state, 0);
    this.set(session, 0);
    this.#changed.delete(session);
  }

  /**
   * Makes sure that so many bytes more can be taken.
   *
   * @param action what needs them, for the error
   * @throws ControlError 429 if there is no room
   */
  makeRoom(bytes: number, action: string): void {
    if (bytes <= 0 || this.#used + bytes <= this.#max) return;
    for (const session of this.#withPrevious) this.dropPrevious(session);
    if (this.#used + bytes <= this.#max) return;
    for (const session of this.#changed) this.set(session, Math.min(this.of(session), sizeOfWorld(session)));
    this.#changed.clear();
    if (this.#used + bytes <= this.#max) return;
    throw new ControlError(
      429,
      `Failed to ${action}: it takes ${toMegabytes(bytes)} MB, but what was written into the worlds of all sessions, with their saved states, takes ${toMegabytes(this.#used)} of at most ${toMegabytes(this.#max)} MB. Delete sessions, saved states, faults or records, reset a session, or set journalMemory to more (--journal-memory on the command line): they may take half as much.`,
    );
  }
}

const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

import { ControlError } from '../protocol/errors.ts';
import { toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import type { Session } from './session.ts';
import { changedParts } from './world-state.ts';

export const sizeOfJson = (value: unknown): number => toJsonText(value).length;

/**
 * Counts what a session is about to write, so that an accident in one test is reported there. What it replaces or deletes is
 * subtracted only at the limit, where the session is measured.
 *
 * @param action what writes it, for the error
 * @throws ControlError 429 beyond `limits.written`
 */
export const countWritten = (session: Session, bytes: number, action: string): void => {
  if (session.written + bytes > limits.written) session.written = sizeOfState(session) + sizeOfSaved(session);
  checkWritten(session.written, bytes, action);
  session.written += bytes;
};

/** @throws ControlError 429 beyond `limits.written` */
export const checkWritten = (before: number, bytes: number, action: string): void => {
  if (before + bytes <= limits.written) return;
  throw new ControlError(
    429,
    `Failed to ${action}: it takes ${toMegabytes(bytes)} MB, but the session has written ${toMegabytes(before)} of at most ${toMegabytes(limits.written)} MB (its scenario, records, faults and saved states, as JSON). Delete some of them, reset the session, or use another one.`,
  );
};

/** The size of a session's present state, without what it shares with the scenarios of the server. */
export const sizeOfState = (session: Session): number =>
  session.startSize + sizeOfJson(changedParts(session));

export const sizeOfSaved = ({ saved }: Session): number =>
  [...saved.values()].reduce((sum, { size }) => sum + size, 0);

const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

import type { StatusHistory } from '../../../control/status-histories.ts';

/** The maximum number of histories that are requested: of the records that change next or changed last. */
export const maxHistories = 500;

/** The state at a time; undefined before the record's creation. */
export const stateAt = ({ states }: StatusHistory, now: number): string | undefined =>
  states.findLast(({ at }) => at <= now)?.status;

export const nextOf = ({ states }: StatusHistory, now: number): StatusHistory['states'][number] | undefined =>
  states.find(({ at }) => at > now);

/** What a record is, and whose. */
export const titleOf = ({ id, owner }: StatusHistory): string =>
  owner === null ? `Batch ${id}` : `Run ${id} of ${owner}`;

/** A change of one record. */
export interface Change {
  readonly history: StatusHistory;
  readonly at: number;
  /** The states that it passes, the first one before the change; undefined: it does not exist. */
  readonly states: readonly (string | undefined)[];
}

/** All future changes of state, the next one first. */
export const listComing = (histories: readonly StatusHistory[], now: number): Change[] =>
  histories
    .flatMap((history) =>
      history.states.flatMap(({ status, at }, index) => {
        const before = history.states[index - 1];
        return at > now && before !== undefined ? [{ history, at, states: [before.status, status] }] : [];
      }),
    )
    .sort((a, b) => a.at - b.at);

/** What a move of the clock has changed, the last change first. A move back passes the states in reverse. */
export const listChanged = (histories: readonly StatusHistory[], from: number, to: number): Change[] => {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return histories
    .flatMap((history) => {
      const passed = history.states.filter(({ at }) => at > first && at <= last);
      const states = [stateAt(history, first), ...passed.map(({ status }) => status)];
      const at = passed.at(-1)?.at;
      return at === undefined ? [] : [{ history, at, states: from <= to ? states : states.reverse() }];
    })
    .sort((a, b) => b.at - a.at);
};

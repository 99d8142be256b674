import { control } from './session.ts';

/** Is called before a change, and returns what takes it back. */
export type Undo = () => Promise<() => Promise<unknown>>;

/** For a reset, and for what loads a scenario or a state. */
export const undoRestart: Undo = async () => () => control.state.undo();

export const undoClock: Undo = async () => {
  const { now, speed } = await control.clock.now();
  return async () => {
    await control.clock.set(now);
    await control.clock.run(speed);
  };
};

/** For what removes faults, or changes the line of one. */
export const undoFaults: Undo = async () => () => control.faults.restore();

export const undoAddedFault: Undo = async () => {
  const known = new Set((await control.faults.list()).map(({ id }) => id));
  return async () => {
    for (const { id } of await control.faults.list()) if (!known.has(id)) await control.faults.remove(id);
  };
};

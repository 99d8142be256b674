import { control } from './session.ts';
import { texts } from './texts.ts';

const idsOfChanges = async (): Promise<number[]> =>
  (await control.state.history()).changes.map(({ id }) => id);

/**
 * Runs what changes the session. Returns what undoes that while it is the newest change: anything else would undo changes of others,
 * too.
 *
 * @param changes how many changes it makes. If others were made meanwhile, or if there are too many for the history, there is no undo
 */
export const runWithUndo = async (
  run: () => Promise<unknown>,
  changes: number,
): Promise<(() => Promise<unknown>) | undefined> => {
  const before = (await idsOfChanges()).at(-1) ?? 0;
  await run();
  const own = (await idsOfChanges()).filter((id) => id > before);
  const [to] = own;
  if (to === undefined || own.length !== changes) return undefined;
  return async () => {
    if ((await idsOfChanges()).at(-1) !== own.at(-1)) throw new Error(texts.common.changedSince);
    await control.state.undo({ to });
  };
};

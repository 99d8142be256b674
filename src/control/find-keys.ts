import type { Control } from './control.ts';

/** Keys that a call may carry: the first that are listed, or `any` where any will do. */
export const findKeys = async ({
  state,
}: Pick<Control, 'state'>): Promise<{ readonly api: string; readonly virtual: string }> => {
  const { keys = {} } = await state.export();
  return { api: keys.valid?.[0] ?? 'any', virtual: keys.virtual?.[0] ?? 'any' };
};

import type { Control } from './control.ts';

/** Keys for an example call: the first valid ones, or `any` if all are accepted. */
export const findKeys = async ({
  state,
}: Pick<Control, 'state'>): Promise<{ readonly api: string; readonly virtual: string }> => {
  const { keys = {} } = await state.export();
  return { api: keys.valid?.[0] ?? 'any', virtual: keys.virtual?.[0] ?? 'any' };
};

/** The earliest of the moments that are given; undefined where none is. */
export const earliestOf = <Field extends string>(
  given: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): number | undefined => {
  const times = fields.flatMap((field) => timeOf(given[field]));
  return times.length === 0 ? undefined : Math.min(...times);
};

/**
 * The moments of a whole record, each moved between those that were given before and after it.
 *
 * @param fields the moments in the order in which they follow each other
 */
export const fitTimes = <Field extends string>(
  whole: { readonly [Name in Field]?: unknown },
  given: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): { readonly [Name in Field]?: number } =>
  Object.fromEntries(
    fields.flatMap((field, index) =>
      timeOf(whole[field]).map((at) => {
        const before = fields.slice(0, index + 1).flatMap((one) => timeOf(given[one]));
        const behind = fields.slice(index).flatMap((one) => timeOf(given[one]));
        return [field, Math.min(Math.max(at, ...before), ...behind)] as const;
      }),
    ),
  ) as { readonly [Name in Field]?: number }; // its keys are of these fields

const timeOf = (value: unknown): number[] => (typeof value === 'number' ? [value] : []);

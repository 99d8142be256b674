/** The earliest of the moments that are given; infinity where none is. */
export const earliestOf = <Field extends string>(
  given: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): number => Math.min(...timesOf(given, fields));

/** The latest of the moments that are given; minus infinity where none is. */
export const latestOf = <Field extends string>(
  given: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): number => Math.max(...timesOf(given, fields));

/** When a record was created, as far as the fields given tell, and how many seconds later it expires. */
export const spanOf = (
  given: { readonly created_at?: unknown; readonly expires_at?: unknown },
  usualLifetime: number,
  now: number,
): { readonly created: number | undefined; readonly lifetime: number } => {
  const [expiry] = timeOf(given.expires_at);
  const [created] = timeOf(given.created_at);
  if (expiry === undefined) return { created, lifetime: usualLifetime };
  const start = created ?? Math.max(0, Math.min(now, expiry - usualLifetime));
  return { created: start, lifetime: Math.max(0, expiry - start) };
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

const timesOf = <Field extends string>(
  given: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): number[] => fields.flatMap((field) => timeOf(given[field]));

const timeOf = (value: unknown): number[] => (typeof value === 'number' ? [value] : []);

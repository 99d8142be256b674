import type * as z from 'zod';
import { findBadTimestamps } from '../world/record-schema.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** A record cut to what a scenario can hold, and what was left out, as paths such as `usage.extra`. */
export interface Fitted {
  readonly record: Mapping;
  readonly leftOut: readonly string[];
}

/**
 * Leaves out of a record what the contract's schema has no room for: unknown fields, and values of other types. A field
 * that is missing stays so.
 */
export const fitRecord = (given: Mapping, schema: z.ZodType): Fitted => {
  const leftOut: string[] = [];
  let record = structuredClone(given) as Record<string, unknown>;
  for (const field of findBadTimestamps(record)) {
    delete record[field];
    leftOut.push(field);
  }
  // What is left out of an object may leave it without a field that it needs: then the whole of it goes.
  for (let round = 0; round < 10; round += 1) {
    const issues = schema.safeParse(record).error?.issues ?? [];
    if (issues.length === 0) return { record, leftOut };
    for (const issue of issues) {
      const paths =
        issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
      for (const path of paths) {
        const gone = takeOut(record, path);
        if (gone !== undefined) leftOut.push(gone);
      }
    }
    record = { ...record };
  }
  return { record, leftOut };
};

/** Takes the value at a path out; the whole item of a list, or the object around it, where nothing stands there. */
const takeOut = (record: Record<string, unknown>, path: readonly PropertyKey[]): string | undefined => {
  for (let length = path.length; length > 0; length -= 1) {
    const holder = path.slice(0, length - 1).reduce<unknown>((at, key) => Object(at)[key], record);
    const key = path[length - 1] as PropertyKey; // within its length
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) continue;
    if (Array.isArray(holder)) continue; // without one item, the others would have another place
    Reflect.deleteProperty(holder, key);
    return path
      .slice(0, length)
      .map((step) => (typeof step === 'number' ? '[]' : String(step)))
      .join('.')
      .replaceAll('.[]', '[]');
  }
  return undefined;
};

import type * as z from 'zod';
import { findExtraPaths, restoreFields, takeFields } from '../../core/util/extra-fields.ts';
import type { Mapping } from '../../core/util/mapping.ts';
import { toPathText } from '../../core/util/path-text.ts';
import { findBadTimestamps } from '../../core/world/record-schema.ts';

/**
 * Removes values of types that the schema does not allow, so that a scenario can contain the record. Missing fields stay missing,
 * and unknown fields stay: `hasExtra` says whether there are any. `leftOut` has the paths of the removed values, such as `usage.extra`.
 */
export const fitRecord = (original: Mapping, schema: z.ZodType) => {
  const leftOut: string[] = [];
  const { rest, extra } = takeFields(structuredClone(original), findExtraPaths(schema, original));
  let record = rest as Record<string, unknown>;
  for (const field of findBadTimestamps(record)) {
    delete record[field];
    leftOut.push(field);
  }
  // Without a required field, an object is invalid, and is removed in the next round.
  for (let round = 0; round < 10; round += 1) {
    const issues = schema.safeParse(record).error?.issues ?? [];
    if (issues.length === 0) {
      restoreFields(record, extra);
      return { record, leftOut, hasExtra: extra.length > 0 };
    }
    for (const issue of issues) {
      const removed = removeAt(record, issue.path);
      if (removed !== undefined) leftOut.push(removed);
    }
    record = { ...record };
  }
  return { record, leftOut, hasExtra: false };
};

/** Removes the value at a path, or the nearest object around it if that is not possible. Returns the path of the removed value. */
const removeAt = (record: Record<string, unknown>, path: readonly PropertyKey[]): string | undefined => {
  for (let length = path.length; length > 0; length -= 1) {
    const holder = path.slice(0, length - 1).reduce<unknown>((at, key) => Object(at)[key], record);
    const key = path[length - 1] as PropertyKey; // within its length
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) continue;
    if (Array.isArray(holder)) continue; // removing a single item would move the others
    Reflect.deleteProperty(holder, key);
    return toPathText(path.slice(0, length)).replace(/\[\d+\]/g, '[]');
  }
  return undefined;
};

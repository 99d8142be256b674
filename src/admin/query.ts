import type * as z from 'zod';
import { parseJson } from '../util/json.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { tryParse } from '../util/try-parse.ts';

/**
 * The values of a query. Nested ones have dotted names, such as `params.thread_id`. Each is a text, or what the text is as
 * JSON if the schema does not accept a text there. Instead, all of them may be given as one JSON object: `?json={…}`.
 *
 * @throws Error if a name is given twice, or `json` is not a JSON object
 */
export const readQuery = (text: string, schema: z.ZodType): Mapping => {
  const query = new URLSearchParams(text);
  const names = new Set<string>();
  for (const name of query.keys()) {
    if (names.has(name)) throw new Error(`The query parameter "${name}" is given twice.`);
    names.add(name);
  }
  const json = query.get('json');
  if (json !== null) return readJson(json, query.size);
  const input = new Map<string, unknown>();
  const nested = new Map<string, [string, string][]>();
  for (const [name, value] of query) {
    const dot = name.indexOf('.');
    const key = dot === -1 ? name : name.slice(0, dot);
    const isTwice = dot === -1 ? nested.has(key) : input.has(key);
    if (isTwice) throw new Error(`The query parameter "${key}" is given twice.`);
    if (dot === -1) input.set(name, value);
    else {
      const entries = nested.get(key) ?? [];
      entries.push([name.slice(dot + 1), value]);
      nested.set(key, entries);
    }
  }
  for (const [key, entries] of nested) input.set(key, Object.fromEntries(entries));
  for (const { path } of schema.safeParse(Object.fromEntries(input)).error?.issues ?? []) {
    const value = input.get(String(path[0]));
    if (path.length === 1 && typeof value === 'string')
      input.set(String(path[0]), tryParse(value, parseJson) ?? value);
  }
  return Object.fromEntries(input);
};

const readJson = (text: string, size: number): Mapping => {
  const value = tryParse(text, parseJson);
  if (!isMapping(value)) throw new Error('The query parameter "json" must be a JSON object.');
  if (size > 1) throw new Error('The query parameter "json" cannot be combined with other parameters.');
  return value;
};

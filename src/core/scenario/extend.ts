import { isMapping, ownValue } from '../util/mapping.ts';
import { suggest } from '../util/nearest.ts';
import { truncate } from '../util/truncate.ts';
import { describeError, type ValidationError } from '../util/validation-error.ts';
import type { Library, ScenarioDocument } from './library.ts';

/** A document, the document that it extends, and so on. Adds the validation errors of their texts and of `extends`. */
export const findChain = (
  document: ScenarioDocument,
  { scenarios }: Library,
  errors: ValidationError[],
): ScenarioDocument[] => {
  const chain: ScenarioDocument[] = [];
  let next: ScenarioDocument | undefined = document;
  while (next !== undefined) {
    const current: ScenarioDocument = next;
    chain.push(current);
    for (const error of current.errors ?? []) errors.push(placeIn(current, error));
    const name = isMapping(current.value) ? current.value.extends : undefined;
    if (typeof name !== 'string') break;
    const refuse = (message: string, at: ScenarioDocument) =>
      errors.push(placeIn(at, { path: ['extends'], message }));
    next = ownValue(scenarios, name);
    if (next === undefined)
      refuse(`unknown scenario "${truncate(name)}".${suggest(name, Object.keys(scenarios))}`, current);
    else if (chain.includes(next)) {
      const names = [...chain, next].map((link) => link.name);
      refuse(`the scenario extends itself: ${names.join(' > ')}`, document);
      break;
    }
  }
  return chain;
};

/** Merges mappings key by key. Null deletes a key; any other value replaces the parent's. */
export const merge = (parent: unknown, child: unknown): unknown => {
  if (!isMapping(parent) || !isMapping(child)) return child;
  const entries = new Map(Object.entries(parent));
  for (const [key, value] of Object.entries(child)) {
    if (value === null) entries.delete(key);
    else entries.set(key, merge(entries.get(key), value));
  }
  return Object.fromEntries(entries);
};

/** Adds the file and position of a validation error in a document. */
export const placeIn = ({ file, locate }: ScenarioDocument, error: ValidationError): ValidationError =>
  file === undefined ? error : { file, ...locate?.(error.path, error.at), ...error };

/** Adds the file and position of a validation error: in the scenario's own file, in a file that it extends, or in a fixture. */
export const placeInChain = (
  chain: readonly ScenarioDocument[],
  { prompts }: Library,
  error: ValidationError,
): ValidationError => {
  if (error.file !== undefined) return error;
  const { path } = error;
  const [first] = chain.toSorted((a, b) => countKnown(b.value, path) - countKnown(a.value, path));
  const writer = first as ScenarioDocument; // a chain is never empty
  const stored = path[0] === 'prompts' ? Object(Object(writer.value).prompts)[String(path[1])] : undefined;
  const fixture = typeof stored === 'string' ? ownValue(prompts, stored) : undefined;
  return fixture === undefined ? placeIn(writer, error) : placeIn(fixture, { ...error, path: path.slice(2) });
};

/**
 * How many keys of a path a value sets. Only mappings are merged: any other value replaces the parent's, so that it sets all
 * further keys.
 */
const countKnown = (root: unknown, path: ValidationError['path']): number => {
  let value = root;
  for (const [count, key] of path.entries()) {
    if (!isMapping(value)) break;
    if (!Object.hasOwn(value, key)) return count;
    value = value[String(key)];
  }
  return path.length;
};

/** Sorts validation errors by file and position, those of the scenario's own file first, and removes duplicates. */
export const inReadingOrder = (
  errors: readonly ValidationError[],
  own: string | undefined,
): ValidationError[] =>
  [...new Map(errors.map((error) => [describeError(error), error])).values()].toSorted(
    (a, b) =>
      Number(a.file !== own) - Number(b.file !== own) ||
      (a.file ?? '').localeCompare(b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );

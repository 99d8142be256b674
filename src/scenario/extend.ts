import { isMapping, ownValue } from '../util/mapping.ts';
import { suggest } from '../util/nearest.ts';
import { truncate } from '../util/truncate.ts';
import type { Library, ScenarioDocument } from './library.ts';
import { maxChain } from './limits.ts';
import { placeIn } from './places.ts';
import type { ScenarioMistake } from './scenario-error.ts';

/** A document, the document that it extends, and so on. */
export const findChain = (
  document: ScenarioDocument,
  library: Library,
  mistakes: ScenarioMistake[],
): ScenarioDocument[] => {
  const chain: ScenarioDocument[] = [];
  for (
    let next: ScenarioDocument | undefined = document;
    next !== undefined;
    next = findParent(next, library, mistakes)
  ) {
    const current = next;
    if (chain.includes(current)) {
      const names = [...chain, current].map(({ name }) => name);
      mistakes.push({ path: ['extends'], message: `the scenario extends itself: ${names.join(' > ')}` });
      break;
    }
    if (chain.length === maxChain) {
      mistakes.push({ path: ['extends'], message: `more than ${maxChain} scenarios extend each other` });
      break;
    }
    chain.push(current);
    for (const mistake of current.mistakes ?? []) mistakes.push(placeIn(current, mistake));
  }
  return chain;
};

const findParent = (
  document: ScenarioDocument,
  { scenarios }: Library,
  mistakes: ScenarioMistake[],
): ScenarioDocument | undefined => {
  const name = isMapping(document.value) ? document.value.extends : undefined;
  if (typeof name !== 'string') return undefined;
  const parent = ownValue(scenarios, name);
  if (parent === undefined)
    mistakes.push(
      placeIn(document, {
        path: ['extends'],
        message: `unknown scenario "${truncate(name)}".${suggest(name, Object.keys(scenarios))}`,
      }),
    );
  return parent;
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

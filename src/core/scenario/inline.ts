import { isMapping, ownValue } from '../util/mapping.ts';
import { suggest } from '../util/nearest.ts';
import { truncate } from '../util/truncate.ts';
import type { ValidationError } from '../util/validation-error.ts';
import { placeIn } from './extend.ts';
import type { Library } from './library.ts';

/** Replaces the names of prompt fixtures by their contents. */
export const inlinePrompts = (value: unknown, { prompts }: Library, errors: ValidationError[]): unknown => {
  if (!isMapping(value) || !isMapping(value.prompts)) return value;
  const inlined: [id: string, prompt: unknown][] = [];
  for (const [id, stored] of Object.entries(value.prompts)) {
    const fixture = typeof stored === 'string' ? ownValue(prompts, stored) : undefined;
    if (typeof stored !== 'string') inlined.push([id, stored]);
    else if (fixture === undefined)
      errors.push({ path: ['prompts', id], message: unknownFixture(stored, prompts) });
    else if (fixture.errors === undefined) inlined.push([id, fixture.value]);
    else for (const error of fixture.errors) errors.push(placeIn(fixture, error));
  }
  return { ...value, prompts: Object.fromEntries(inlined) };
};

const unknownFixture = (name: string, fixtures: object): string =>
  `unknown fixture "${truncate(name)}": put a file of this name into fixtures/prompts/ in the folder of the scenario.${suggest(name, Object.keys(fixtures))}`;

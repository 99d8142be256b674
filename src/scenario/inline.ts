import { parseRule, withFixture } from '../faults/rule.ts';
import { faultLine } from '../faults/schema.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { messageOf } from '../util/message-of.ts';
import { suggest } from '../util/nearest.ts';
import { truncate } from '../util/truncate.ts';
import { tryParse } from '../util/try-parse.ts';
import { placeIn } from './extend.ts';
import type { Library } from './library.ts';
import { describeError, listErrors, type ValidationError } from './scenario-error.ts';

/** Replaces the names of prompt fixtures by their contents. */
export const inlinePrompts = (value: unknown, { prompts }: Library, errors: ValidationError[]): unknown => {
  if (!isMapping(value) || !isMapping(value.prompts)) return value;
  const inlined: [id: string, prompt: unknown][] = [];
  for (const [id, stored] of Object.entries(value.prompts)) {
    const fixture = typeof stored === 'string' ? ownValue(prompts, stored) : undefined;
    if (typeof stored !== 'string') inlined.push([id, stored]);
    else if (fixture === undefined)
      errors.push({ path: ['prompts', id], message: unknownFixture(stored, prompts, 'prompts') });
    else if (fixture.errors === undefined) inlined.push([id, fixture.value]);
    else for (const error of fixture.errors) errors.push(placeIn(fixture, error));
  }
  return { ...value, prompts: Object.fromEntries(inlined) };
};

const unknownFixture = (name: string, fixtures: object, folder: 'prompts' | 'responses'): string =>
  `unknown fixture "${truncate(name)}": put a file of this name into fixtures/${folder}/ in the folder of the scenario.${suggest(name, Object.keys(fixtures))}`;

/** Replaces the names of response fixtures in faults by their bodies. */
export const inlineResponses = (value: unknown, library: Library, errors: ValidationError[]): unknown => {
  if (!isMapping(value) || !Array.isArray(value.faults)) return value;
  const faults = value.faults.map((given: unknown, index) => {
    const line = faultLine(given);
    if (typeof line !== 'string' || !line.includes('fixture=')) return given;
    if (tryParse(line, parseRule) === undefined) return given; // an invalid line is reported when it is checked
    try {
      return inlineResponse(line, library);
    } catch (error) {
      errors.push({ path: ['faults', index], message: messageOf(error) });
      return given; // a valid line, so that the error is reported once
    }
  });
  return { ...value, faults };
};

/**
 * Replaces the name of a fixture in a fault's line by its body.
 *
 * @throws Error if the line is invalid or the fixture does not exist
 */
export const inlineResponse = (line: string, { responses }: Library): string => {
  if (typeof line !== 'string' || !line.includes('fixture=')) return line; // an invalid line is reported when it is parsed
  const find = (name: string): unknown => {
    const fixture = ownValue(responses, name);
    if (fixture === undefined) throw new Error(unknownFixture(name, responses, 'responses'));
    if (fixture.errors === undefined) return fixture.value;
    const errors = listErrors(fixture.errors).map(describeError);
    throw new Error(`the fixture "${name}" has errors: ${errors.join('; ')}`);
  };
  return withFixture(parseRule(line), find).line;
};

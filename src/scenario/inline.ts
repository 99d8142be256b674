import { parseRule, withFixture } from '../faults/rule.ts';
import { faultLine } from '../faults/schema.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { messageOf } from '../util/message-of.ts';
import { suggest } from '../util/nearest.ts';
import type { Library } from './library.ts';
import { placeIn } from './places.ts';
import { describeMistake, type ScenarioMistake } from './scenario-error.ts';

/** Prompts that are named by a fixture, as if they were written out. */
export const inlinePrompts = (value: unknown, { prompts }: Library, mistakes: ScenarioMistake[]): unknown => {
  if (!isMapping(value) || !isMapping(value.prompts)) return value;
  const inlined = Object.entries(value.prompts).flatMap(([id, stored]) => {
    if (typeof stored !== 'string') return [[id, stored] as const];
    const fixture = ownValue(prompts, stored);
    if (fixture === undefined)
      mistakes.push({
        path: ['prompts', id],
        message: unknownFixture(stored, prompts, 'prompts'),
      });
    else mistakes.push(...(fixture.mistakes ?? []).map((mistake) => placeIn(fixture, mistake)));
    return fixture === undefined || fixture.mistakes ? [] : [[id, fixture.value] as const];
  });
  return { ...value, prompts: Object.fromEntries(inlined) };
};

const unknownFixture = (name: string, fixtures: object, folder: 'prompts' | 'responses'): string =>
  `there is no fixture "${name}" (your own are files of fixtures/${folder}/ beside the scenario's, named without their ending).${suggest(name, Object.keys(fixtures))}`;

/** Faults that answer with a fixture, as if its body were written out. */
export const inlineResponses = (value: unknown, library: Library, mistakes: ScenarioMistake[]): unknown => {
  if (!isMapping(value) || !Array.isArray(value.faults)) return value;
  const faults = value.faults.map((given: unknown, index) => {
    const line = faultLine(given);
    if (typeof line !== 'string' || !line.includes('fixture=')) return given;
    try {
      return inlineResponse(line, library);
    } catch (error) {
      mistakes.push({
        path: ['faults', index],
        message: messageOf(error),
      });
      return '*#1: reset'; // it is told of already
    }
  });
  return { ...value, faults };
};

/**
 * The line of a fault with the body of the fixture that it names, if any.
 *
 * @throws Error where the line is no fault, or there is no such fixture
 */
export const inlineResponse = (line: string, { responses }: Library): string => {
  if (typeof line !== 'string' || !line.includes('fixture=')) return line; // what is no line is told of where it is read
  const find = (name: string): unknown => {
    const fixture = ownValue(responses, name);
    if (fixture === undefined || fixture.mistakes)
      throw new Error(
        fixture
          ? `the fixture "${name}" has mistakes: ${fixture.mistakes?.map(describeMistake).join('; ')}`
          : unknownFixture(name, responses, 'responses'),
      );
    return fixture.value;
  };
  return withFixture(parseRule(line), find).line;
};

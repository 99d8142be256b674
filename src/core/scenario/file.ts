import { type Document, LineCounter, stringify } from 'yaml';
import { findJsonError, isDeeperThan, parseJson, toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { messageOf } from '../util/message-of.ts';
import type { ScenarioDocument } from './library.ts';
import { maxNesting, tooDeep } from './nesting.ts';
import type { Scenario } from './scenario-types.ts';
import { findTooDeep, offsetOf, parseYaml, type ReadText, readYaml } from './yaml.ts';

/**
 * Parses a scenario file, YAML or JSON. Validation errors are part of the returned document, so that a folder with one broken
 * file remains usable.
 *
 * @param name the name by which other scenarios refer to it
 * @param file the name of the file for messages. A large JSON file is parsed without the lines of its validation errors
 */
export const readDocument = (name: string, file: string, content: string): ScenarioDocument => {
  const refuse = (message: string) => ({ name, file, value: undefined, errors: [{ path: [], message }] });
  if (content.length > limits.file)
    return refuse(`the file is too large: at most ${limits.file} characters are allowed`);
  const text = content.replace(/^\uFEFF/, '');
  if (isJson(file) && text.length > limits.yaml)
    try {
      return { name, file, value: parseJson(text) };
    } catch (error) {
      return refuse(`not valid JSON: ${messageOf(error)}`);
    }
  const lines = new LineCounter();
  const end = text.trimEnd().length;
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, end));
    return { line, column: col };
  };
  const { document, value, errors = [] } = read(file, text, lines);
  if (document === undefined || errors.length > 0)
    return {
      name,
      file,
      value: undefined,
      errors: errors.map(({ at, message }) => ({ path: [], message, file, ...placeAt(at) })),
    };
  if (isDeeperThan(Object(value), maxNesting)) return refuse(tooDeep); // aliases can nest deeper than the text
  return { name, file, value, locate: (path, at) => placeAt(offsetOf(document, text, path, at)) };
};

/** The value of a text, or its errors; and the document in which paths are located. */
const read = (file: string, text: string, lines: LineCounter): ReadText & { document?: Document } => {
  const deepest = findTooDeep(text, lines);
  if (deepest !== undefined) return { errors: [{ at: deepest, message: tooDeep }] };
  const document = parseYaml(text);
  if (document.errors.length === 0 && document.contents === null)
    return { errors: [{ at: 0, message: 'the file is empty: expected a mapping' }] };
  return { document, ...(isJson(file) ? readJson(text) : readYaml(document, text)) };
};

const readJson = (text: string): ReadText => {
  const error = findJsonError(text);
  return error === undefined
    ? { value: parseJson(text) }
    : { errors: [{ at: error.at, message: `not valid JSON: ${error.message}` }] };
};

/** Whether a file is JSON, by its name. */
export const isJson = (file: string): boolean => file.toLowerCase().endsWith('.json');

/** The text of a scenario file: JSON if its name ends so, otherwise YAML. */
export const toFileText = (file: string, scenario: Scenario): string =>
  isJson(file)
    ? `${toJsonText(scenario, 2)}\n`
    : stringify(scenario, { aliasDuplicateObjects: false, lineWidth: 0 });

import { isMapping, ownValue } from '../../util/mapping.ts';
import { describeError } from '../../util/validation-error.ts';
import type { World } from '../../world/world.ts';
import { textsOf } from './check-prompt.ts';
import { parseTemplate, type Template } from './parse-template.ts';
import { findPartials } from './partials.ts';
import { warnOfPrompt } from './prompt-warnings.ts';
import { findPrompt, firstIds } from './record.ts';
import { createJsonOutput, createTextOutput, type Output } from './template.ts';
import type { Prompt, PromptInfo } from './types.ts';

/** Describes a stored prompt. Undefined if it does not exist. */
export const describePrompt = (id: string, world: World): PromptInfo | undefined => {
  const found = findPrompt(id, world);
  if (found === undefined) return undefined;
  const { version, stored } = found;
  const { partials, missing, missingVariables } = findPartials(version, {}, world);
  const example: Record<string, unknown> = {};
  const variables = new Set<string>();
  const described = new Set<string>();
  const add = (name: string, value: unknown): void => {
    variables.add(name);
    fill(example, name.split('.'), value);
  };

  /** @param section the name of the section that contains the template */
  const describeParts = (template: Template, output: Output, section?: string): void => {
    for (const part of template) {
      if (part.type === 'text') output.write(part.text);
      else if (part.type === 'variable' && part.name === '.') {
        if (section !== undefined) add(section, [output.isInText() ? section : 1]);
      } else if (part.type === 'variable')
        add(part.name, output.isInText() ? valueFor(part.name) : [{ role: 'user', content: part.name }]);
      else if (part.type === 'section') {
        variables.add(part.name);
        describeParts(part.inner, output, part.name);
        fill(example, part.name.split('.'), true); // the names inside are also looked up further out
      } else if (part.type === 'partial' && part.isNamedByVariable)
        add(part.name, firstIds(world).find((other) => other !== stored.id) ?? part.name);
      else if (part.type === 'partial' && !described.has(part.name)) {
        described.add(part.name);
        for (const text of partials.get(part.name)?.texts ?? [])
          describeParts(parseTemplate(text, 'kept'), output.isInText() ? createTextOutput() : output);
      }
    }
  };
  for (const { text } of textsOf({ ...version }))
    describeParts(
      parseTemplate(text, 'kept'),
      version.string === undefined ? createTextOutput() : createJsonOutput(),
    );
  return {
    variables: [...variables],
    example,
    partials: [...partials.keys(), ...missing, ...[...missingVariables].map((name) => `>${name}`)],
    versions: describeVersions(stored),
    warnings: [...warnOfPrompt(stored, world)].map(describeError),
  };
};

/** Sets the value of a dotted name, unless it has one. An object with fields takes the place of any other value. */
const fill = (
  target: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): void => {
  if (first === '__proto__') return;
  const present = ownValue(target, first);
  if (rest.length === 0) target[first] = present ?? value;
  else {
    const inner = isMapping(present) ? present : {};
    target[first] = inner;
    fill(inner, rest, value);
  }
};

/** Values that make an example read like one. Any other variable has its own name as its value. */
const valueFor = (name: string): string =>
  ownValue({ product: 'Lumen', language: 'English', name: 'Ada', question: 'Where do I start?' }, name) ??
  name;

const describeVersions = (stored: Prompt): string[] => {
  if (!('versions' in stored)) return [];
  const { versions, published = Math.max(...versions.map(({ version }) => version)) } = stored;
  return versions.map(({ version, labels }) => {
    const words = version === published ? [...labels, 'published'] : labels;
    return words.length === 0 ? String(version) : `${version} (${words.join(', ')})`;
  });
};

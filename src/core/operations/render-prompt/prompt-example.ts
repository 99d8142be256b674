import { isMapping, ownValue } from '../../util/mapping.ts';
import type { World } from '../../world/world.ts';
import { textsOf } from './check-prompt.ts';
import { parseTemplate, type Template } from './parse-template.ts';
import { findPartials, type TemplateTexts } from './partials.ts';
import { firstIds } from './record.ts';
import { createJsonOutput, createTextOutput, type Output } from './template.ts';

/** The names that a template and its partials look up, and values for them with which it renders. */
export const findVariables = ({ messages, string }: TemplateTexts, world: World) => {
  const { partials } = findPartials({ messages, string }, {}, world);
  const names = new Set<string>();
  const example: Record<string, unknown> = {};
  const described = new Set<string>();
  const add = (name: string, value: unknown): void => {
    names.add(name);
    fill(example, name.split('.'), value);
  };

  /** @param section the name of the section that contains the template */
  const describeParts = (template: Template, output: Output, section?: string): void => {
    for (const part of template) {
      const isInText = output.isInText();
      if (part.type === 'text') output.write(part.text);
      else if (part.type === 'variable' && part.name === '.') {
        if (section !== undefined) add(section, [isInText ? section : 1]);
      } else if (part.type === 'variable')
        add(part.name, isInText ? valueFor(part.name) : [{ role: 'user', content: part.name }]);
      else if (part.type === 'section') {
        names.add(part.name);
        describeParts(part.inner, output, part.name);
        add(part.name, true); // the names inside are also looked up further out
      } else if (part.type === 'partial' && part.isNamedByVariable) add(part.name, firstIds(world)[0]);
      else if (part.type === 'partial' && !described.has(part.name)) {
        described.add(part.name);
        for (const text of partials.get(part.name)?.texts ?? [])
          describeParts(parseTemplate(text, 'kept'), isInText ? createTextOutput() : output);
      }
    }
  };
  const createOutput = string === undefined ? createTextOutput : createJsonOutput;
  for (const { text } of textsOf({ messages, string }))
    describeParts(parseTemplate(text, 'kept'), createOutput());
  return { names: [...names], example };
};

/** Sets the value of a dotted name, unless it has a value. An object with fields takes the place of any other value. */
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

/** Values that make an example read naturally. Any other variable has its own name as its value. */
const valueFor = (name: string): string =>
  ownValue({ product: 'Lumen', language: 'English', name: 'Ada', question: 'Where do I start?' }, name) ??
  name;

import { toJsonText } from '../../util/json.ts';
import { limits } from '../../util/limits.ts';
import { mapTexts } from '../../util/mapping.ts';
import { isCached, type Lines, parseTemplate, type Template } from './parse-template.ts';

/** The context of a rendering. */
export interface Rendering {
  readonly variables: unknown;
  readonly lines: Lines;
  /** Finds the partial with this id, which exists. */
  readonly findPartial: (id: string) => PartialTexts;
  /** Called for each name that is missing or null. */
  readonly onMissing: (name: string) => void;
  /** Called for each object or list that stands inside a text. */
  readonly onStructured: (name: string) => void;
  /** Called for each step, with its cost. @throws if the rendering becomes too expensive */
  readonly onStep: (cost: number) => void;
  /** Called if sections and partials contain each other too deeply. @throws always */
  readonly onTooDeep: (chain: readonly string[]) => never;
  /** The names of the enclosing prompts, outermost first. */
  readonly chain: readonly string[];
  /** The number of enclosing sections and partials. */
  readonly depth: number;
}

/** A stored prompt as a partial: each text is rendered as a template, and a blank line separates them. */
export interface PartialTexts {
  readonly name: string;
  readonly texts: readonly string[];
}

/** Renders all texts of a message, at any depth. */
export const renderMessage = <Message extends object>(message: Message, rendering: Rendering): Message =>
  mapTexts(message, (text) => renderText(text, rendering)) as Message; // its shape stays the same

/**
 * Renders a Mustache template. The library parses it. The rendering is our own, because the library's looks up names in
 * prototypes (`{{constructor}}`), escapes HTML, and recurses endlessly if a partial includes itself.
 */
export const renderText = (text: string, rendering: Rendering): string => {
  const output = createTextOutput();
  renderParts(parseTemplate(text, rendering.lines), [rendering.variables], rendering, output);
  return output.text();
};

/** Renders the template of a JSON text: what stands inside quotes is written as in a JSON string. */
export const renderJson = (text: string, rendering: Rendering): string => {
  const output = createJsonOutput();
  renderParts(parseTemplate(text, rendering.lines), [rendering.variables], rendering, output);
  return output.text();
};

/** Where a rendering is written to. */
export interface Output {
  /** Whether it is inside a text, not between the values of a JSON text. */
  readonly isInText: () => boolean;
  /** Adds a piece of a template. */
  readonly write: (piece: string) => void;
  /** Adds a value; inside a JSON string, it is escaped. */
  readonly writeValue: (value: string) => void;
  readonly text: () => string;
}

export const createTextOutput = (): Output => {
  let result = '';
  const write = (piece: string): void => {
    result += piece;
  };
  return { isInText: () => true, write, writeValue: write, text: () => result };
};

export const createJsonOutput = (): Output => {
  let [result, isQuoted, isEscaped] = ['', false, false];
  const write = (piece: string): void => {
    result += piece;
    for (const character of piece) {
      if (character === '"' && !isEscaped) isQuoted = !isQuoted;
      isEscaped = isQuoted && character === '\\' && !isEscaped;
    }
  };
  const writeValue = (value: string): void => {
    if (isQuoted) result += JSON.stringify(value).slice(1, -1);
    else write(value);
  };
  return { isInText: () => isQuoted, write, writeValue, text: () => result };
};

/** The values in which names are looked up, innermost last. */
type Stack = readonly unknown[];

const renderParts = (template: Template, stack: Stack, rendering: Rendering, output: Output): void => {
  for (const part of template) {
    rendering.onStep(stack.length); // a name is looked up in each value of the stack
    switch (part.type) {
      case 'text':
        rendering.onStep(part.text.length);
        output.write(part.text);
        break;
      case 'variable':
        renderVariable(part.name, stack, rendering, output);
        break;
      case 'section': {
        const items = itemsOf(lookUp(part.name, stack));
        if (part.isInverted && items.length > 0) break;
        renderSection(part.isInverted ? undefined : items, part.inner, stack, rendering, output);
        break;
      }
      case 'partial':
        renderPartial(part, stack, rendering, output);
    }
  }
};

const renderVariable = (name: string, stack: Stack, rendering: Rendering, output: Output): void => {
  const value = lookUp(name, stack);
  if (value === undefined || value === null) {
    rendering.onMissing(name);
    return;
  }
  const text = toText(value, output.isInText());
  if (typeof value === 'object' && output.isInText()) rendering.onStructured(name);
  rendering.onStep(text.length);
  output.writeValue(text);
};

/** Between the values of a JSON text, a list stands for its items. */
const toText = (value: unknown, isInText: boolean): string => {
  if (Array.isArray(value) && !isInText) return value.map((item) => toJsonText(item)).join(',');
  return typeof value === 'object' ? toJsonText(value) : String(value);
};

const deepen = (rendering: Rendering): Rendering => {
  const depth = rendering.depth + 1;
  if (depth > limits.depth) rendering.onTooDeep(rendering.chain);
  rendering.onStep(1);
  return { ...rendering, depth };
};

/** @param items undefined for an inverted section */
const renderSection = (
  items: readonly unknown[] | undefined,
  inner: Template,
  stack: Stack,
  rendering: Rendering,
  output: Output,
): void => {
  const inside = deepen(rendering);
  if (items === undefined) renderParts(inner, stack, inside, output);
  for (const item of items ?? []) {
    inside.onStep(1); // an item costs a step even if it renders to nothing
    renderParts(inner, [...stack, item], inside, output);
  }
};

const renderPartial = (
  { name, isNamedByVariable, indentation }: { name: string; isNamedByVariable: boolean; indentation: string },
  stack: Stack,
  rendering: Rendering,
  output: Output,
): void => {
  const partial = rendering.findPartial(isNamedByVariable ? String(lookUp(name, stack.slice(0, 1))) : name);
  const inside = { ...deepen(rendering), chain: [...rendering.chain, partial.name] };
  // In a JSON string, a partial is written like a value.
  const target = output.isInText() ? createTextOutput() : output;
  for (const [index, text] of partial.texts.entries()) {
    if (index > 0) target.write('\n\n');
    const added = indentation === '' ? 0 : indentation.length * text.split('\n').length;
    // A text that must be parsed again costs more for each character.
    inside.onStep((text.length + added) * (indentation === '' && isCached(text) ? 1 : 10));
    renderParts(parseTemplate(indent(text, indentation), rendering.lines), stack, inside, target);
  }
  if (target !== output) output.writeValue(target.text());
};

const indent = (text: string, indentation: string): string =>
  indentation === '' ? text : text.replace(/(^|\n)(?=[^\r\n])/g, `$1${indentation}`);

/** Looks up a dotted name: its first part from the innermost value outwards, the other parts in that value. */
export const lookUp = (name: string, stack: Stack): unknown => {
  if (name === '.') return stack.at(-1);
  const [first = '', ...rest] = name.split('.');
  const innermost = stack.findLast((value) => hasOwn(value, first));
  return rest.reduce(readOwn, readOwn(innermost, first));
};

/** Only properties of the given JSON count: nothing of a prototype, and no length. */
const hasOwn = (value: unknown, key: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, key);

const readOwn = (value: unknown, key: string): unknown => (hasOwn(value, key) ? value[key] : undefined);

/** The items for which a section is rendered: none for a false value. */
const itemsOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
};

import { refuse } from '../../protocol/errors.ts';
import { toJsonText } from '../../util/json.ts';
import { limits } from '../../util/limits.ts';
import { type Lines, longestCached, type Part, parseTemplate, type Template } from './parse-template.ts';

/** A stored prompt as a partial: each text is rendered as a template, and a blank line separates them. */
export interface PartialTexts {
  readonly name: string;
  readonly texts: readonly string[];
}

interface RendererOptions {
  /** The name of the prompt. */
  readonly name: string;
  readonly variables: unknown;
  /** All partials by their ids. */
  readonly partials: ReadonlyMap<string, PartialTexts>;
  readonly lines: Lines;
}

/** Where a part of a template stands. */
interface Place {
  /** The values in which names are looked up, innermost last. */
  readonly stack: readonly unknown[];
  /** The names of the enclosing prompts, outermost first. */
  readonly chain: readonly string[];
  /** The number of enclosing sections and partials. */
  readonly depth: number;
}

/**
 * Renders Mustache templates. The library parses them. The rendering is our own, because the library's looks up names in
 * prototypes (`{{constructor}}`), escapes HTML, and recurses endlessly if a partial includes itself.
 */
export const createRenderer = ({ name, variables, partials, lines }: RendererOptions) => {
  const missing = new Set<string>();
  const structured = new Set<string>();
  let cost = 0;

  /** @throws GatewayError 400 if the rendering becomes too expensive or too deep */
  const renderInto = (output: Output, text: string): string => {
    renderParts(parseTemplate(text, lines), { stack: [variables], chain: [name], depth: 0 }, output);
    return output.text();
  };

  const renderParts = (template: Template, place: Place, output: Output): void => {
    for (const part of template) {
      pay(place.stack.length); // a name is looked up in each value of the stack
      if (part.type === 'text') {
        pay(part.text.length);
        output.write(part.text);
      } else if (part.type === 'variable') renderVariable(part.name, place, output);
      else if (part.type === 'section') renderSection(part, place, output);
      else if (part.type === 'partial') renderPartial(part, place, output);
    }
  };

  const renderVariable = (variable: string, { stack }: Place, output: Output): void => {
    const value = lookUp(variable, stack);
    if (value === undefined || value === null) {
      missing.add(variable);
      return;
    }
    const isInText = output.isInText();
    if (typeof value === 'object' && isInText) structured.add(variable);
    const text = toText(value, isInText);
    pay(text.length);
    output.writeValue(text);
  };

  const renderSection = (section: Part & { type: 'section' }, place: Place, output: Output): void => {
    const items = itemsOf(lookUp(section.name, place.stack));
    if (section.isInverted && items.length > 0) return;
    const inside = { ...place, depth: deepen(place) };
    if (section.isInverted) renderParts(section.inner, inside, output);
    for (const item of items) {
      pay(1); // an item costs a step even if it renders to nothing
      renderParts(section.inner, { ...inside, stack: [...place.stack, item] }, output);
    }
  };

  const renderPartial = (part: Part & { type: 'partial' }, place: Place, output: Output): void => {
    const { indentation, isNamedByVariable } = part;
    const id = isNamedByVariable ? String(lookUp(part.name, [variables])) : part.name;
    const partial = partials.get(id) as PartialTexts; // all partials were found before
    const inside = { ...place, depth: deepen(place), chain: [...place.chain, partial.name] };
    // In a JSON string, a partial is written like a value.
    const target = output.isInText() ? createTextOutput() : output;
    for (const [index, text] of partial.texts.entries()) {
      if (index > 0) target.write('\n\n');
      const indented = indentation === '' ? text : text.replace(/(^|\n)(?=[^\r\n])/g, `$1${indentation}`);
      // A text that must be parsed again costs more for each character.
      pay(indented.length * (indented === text && text.length <= longestCached ? 1 : 10));
      renderParts(parseTemplate(indented, lines), inside, target);
    }
    if (target !== output) output.writeValue(target.text());
  };

  /** The depth inside of a section or a partial. */
  const deepen = ({ chain, depth }: Place): number => {
    if (depth >= limits.depth) refuseDepth(chain);
    pay(1);
    return depth + 1;
  };

  const pay = (steps: number): void => {
    cost += steps;
    if (cost > limits.rendering)
      refuse('render-size', {
        status: 400,
        message: `The rendering takes more than ${limits.rendering} steps and characters.`,
        param: 'variables',
      });
  };

  return {
    renderText: (text: string): string => renderInto(createTextOutput(), text),
    /** Renders a JSON text: what stands inside quotes is written as in a JSON string. */
    renderJson: (text: string): string => renderInto(createJsonOutput(), text),
    /** The names that were missing or null. */
    missing,
    /** The names of objects and lists inside texts. */
    structured,
    cost: () => cost,
  };
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

/** Between the values of a JSON text, a list stands for its items. */
const toText = (value: unknown, isInText: boolean): string => {
  if (Array.isArray(value) && !isInText) return value.map((item) => toJsonText(item)).join(',');
  return typeof value === 'object' ? toJsonText(value) : String(value);
};

/** Looks up a dotted name: its first part from the innermost value outwards, the other parts in that value. */
export const lookUp = (name: string, stack: readonly unknown[]): unknown => {
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

const refuseDepth = (chain: readonly string[]): never => {
  const again = chain.findIndex((name, index) => chain.indexOf(name) < index);
  return again === -1
    ? refuse('render-size', {
        status: 400,
        message: `The template is nested too deeply: at most ${limits.depth} sections and partials may contain each other.`,
      })
    : refuse('recursive-partial', {
        status: 400,
        message: `A partial includes itself more than ${limits.depth} levels deep: ${chain.slice(0, again + 1).join(' > ')}.`,
      });
};

import { refuse } from '../../protocol/refuse.ts';
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

/** The context of a part of a template. */
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
export class Renderer {
  /** The names that were missing or null. */
  readonly missing = new Set<string>();
  /** The names of objects and lists inside texts. */
  readonly structured = new Set<string>();
  /** How many steps and characters it took so far. */
  cost = 0;
  readonly #options: RendererOptions;

  constructor(options: RendererOptions) {
    this.#options = options;
  }

  renderText(text: string): string {
    return this.#renderInto(createTextOutput(), text);
  }

  /** Renders a JSON text: what stands inside quotes is written as in a JSON string. */
  renderJson(text: string): string {
    return this.#renderInto(createJsonOutput(), text);
  }

  /** @throws GatewayError 400 if the rendering becomes too expensive or too deep */
  #renderInto(output: Output, text: string): string {
    const { name, variables, lines } = this.#options;
    this.#renderParts(parseTemplate(text, lines), { stack: [variables], chain: [name], depth: 0 }, output);
    return output.text();
  }

  #renderParts(template: Template, place: Place, output: Output): void {
    for (const part of template) {
      this.#pay(place.stack.length); // a name is looked up in each value of the stack
      if (part.type === 'text') {
        this.#pay(part.text.length);
        output.write(part.text);
      } else if (part.type === 'variable') this.#renderVariable(part.name, place, output);
      else if (part.type === 'section') this.#renderSection(part, place, output);
      else if (part.type === 'partial') this.#renderPartial(part, place, output);
    }
  }

  #renderVariable(variable: string, { stack }: Place, output: Output): void {
    const value = lookUp(variable, stack);
    if (value === undefined || value === null) {
      this.missing.add(variable);
      return;
    }
    const isInText = output.isInText();
    if (typeof value === 'object' && isInText) this.structured.add(variable);
    const text = toText(value, isInText);
    this.#pay(text.length);
    output.writeValue(text);
  }

  #renderSection(section: Part & { type: 'section' }, place: Place, output: Output): void {
    const items = itemsOf(lookUp(section.name, place.stack));
    if (section.isInverted && items.length > 0) return;
    const inside = { ...place, depth: this.#deepen(place) };
    if (section.isInverted) this.#renderParts(section.inner, inside, output);
    for (const item of items) {
      this.#pay(1); // an item costs a step even if it renders to nothing
      this.#renderParts(section.inner, { ...inside, stack: [...place.stack, item] }, output);
    }
  }

  #renderPartial(part: Part & { type: 'partial' }, place: Place, output: Output): void {
    const { variables, partials, lines } = this.#options;
    const { indentation, isNamedByVariable } = part;
    const id = isNamedByVariable ? String(lookUp(part.name, [variables])) : part.name;
    const partial = partials.get(id) as PartialTexts; // all partials were found before
    const inside = { ...place, depth: this.#deepen(place), chain: [...place.chain, partial.name] };
    // In a JSON string, a partial is written like a value.
    const target = output.isInText() ? createTextOutput() : output;
    for (const [index, text] of partial.texts.entries()) {
      if (index > 0) target.write('\n\n');
      const indented = indentation === '' ? text : text.replace(/(^|\n)(?=[^\r\n])/g, `$1${indentation}`);
      // A text that must be parsed again costs more for each character.
      this.#pay(indented.length * (indented === text && text.length <= longestCached ? 1 : 10));
      this.#renderParts(parseTemplate(indented, lines), inside, target);
    }
    if (target !== output) output.writeValue(target.text());
  }

  /** The depth inside of a section or a partial. */
  #deepen({ chain, depth }: Place): number {
    if (depth >= limits.depth) refuseDepth(chain);
    this.#pay(1);
    return depth + 1;
  }

  #pay(steps: number): void {
    this.cost += steps;
    if (this.cost > limits.rendering)
      refuse('render-size', {
        message: `The rendering takes more than ${limits.rendering} steps and characters.`,
        param: 'variables',
      });
  }
}

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

/** Only properties of the JSON count: nothing of a prototype, and no length. */
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
        message: `The template is nested too deeply: at most ${limits.depth} sections and partials may contain each other.`,
      })
    : refuse('recursive-partial', {
        message: `A partial includes itself more than ${limits.depth} levels deep: ${chain.slice(0, again + 1).join(' > ')}.`,
      });
};

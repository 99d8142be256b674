import { tryParse } from './try-parse.ts';

/** How the strings of a JSON text are changed. */
export interface StringChanges {
  /** Whether a name is one of those that matter; `parent` is the name of what it is in, and `isObject` whether its value is an object. */
  readonly isNamed: (name: string, parent: string, isObject: boolean) => boolean;
  /** Changes a string that is a value, not a name; `isBelow`: whether it stands below such a name. */
  readonly change: (value: string, isBelow: boolean) => string;
  /** Changes a part of the text that is not JSON. */
  readonly changeOther: (text: string) => string;
}

/** The start of a list or an object with strings in it. */
const opening = /[[{]\s*["[{]/y;

/** A name with its colon. */
const namePattern = /"((?:[^"\\]|\\.){1,100})"\s*:\s*/sy;

/** What follows a name within an object: its colon, and the start of its value. */
const colon = /"\s*:\s*(.?)/sy;

/**
 * Changes the strings of the JSON in a text, which may have other words around it, or be cut off at both ends. All else stays
 * as it was written. It takes one pass, and does not recurse.
 */
export const mapJsonStrings = (text: string, { isNamed, change, changeOther }: StringChanges): string => {
  let mapped = '';
  let from = 0; // what is before was copied
  /** What encloses each open list or object: its name, and whether it is below a name that matters. */
  const above: (readonly [name: string, isBelow: boolean])[] = [];
  let [parent, isBelow] = ['', false]; // the open list or object
  let [nextName, isNextBelow] = ['', false]; // the next value
  let valueAt = -1; // the place of a value outside of all lists and objects: its name stands before it
  const matchesAt = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const copyOther = (end: number): void => {
    mapped += changeOther(text.slice(from, end));
    from = end;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    const isInside = above.length > 0 || at === valueAt;
    if (character === '{' || character === '[') {
      if (!isInside && matchesAt(opening, at) === null) continue;
      if (above.length === 0) copyOther(at);
      above.push([parent, isBelow]);
      [parent, isBelow] = [nextName, isNextBelow];
    } else if ((character === '}' || character === ']') && above.length > 0) {
      [parent, isBelow] = above.pop() ?? ['', false];
      isNextBelow = isBelow;
      if (above.length === 0) {
        mapped += text.slice(from, at + 1);
        from = at + 1;
      }
    } else if (character === ',' && above.length > 0) isNextBelow = isBelow;
    else if (character === '"' && !isInside) {
      const [whole, name = ''] = matchesAt(namePattern, at) ?? [];
      if (whole === undefined) continue;
      copyOther(at);
      nextName = decode(name);
      isNextBelow = isNamed(nextName, '', text[at + whole.length] === '{');
      valueAt = at + whole.length;
      at = valueAt - 1;
    } else if (character === '"') {
      const end = endOfString(text, at + 1);
      const value = decode(text.slice(at + 1, end));
      const [isName, next] = (above.length > 0 && matchesAt(colon, end)) || [];
      if (isName) {
        nextName = value;
        isNextBelow = isBelow || isNamed(value, parent, next === '{');
      } else {
        const changed = change(value, isNextBelow);
        if (changed !== value) {
          mapped += text.slice(from, at + 1) + JSON.stringify(changed).slice(1, -1);
          from = end;
        }
        if (above.length === 0) {
          mapped += text.slice(from, end + 1);
          from = end + 1;
          isNextBelow = false;
        }
      }
      at = end;
    }
  }
  return mapped + (above.length === 0 ? changeOther(text.slice(from)) : text.slice(from));
};

/** The place of the quote that ends a string, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at += 1;
  }
  return text.length;
};

const decode = (written: string): string =>
  written.includes('\\') ? (tryParse<string>(`"${written}"`) ?? written) : written;

// Texts inside JSON values.
import { isMapping, mapTexts } from '../util/mapping.ts';
import { toPathText } from '../util/path-text.ts';

export { mapTexts };

/** All texts of a value, at any depth, in the order of {@link replaceTexts}. */
export const findTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findTexts) : [];
};

/** The path of each of these texts, such as `user.names[0]`. */
export const findTextPaths = (value: unknown, path: readonly PropertyKey[] = []): string[] => {
  if (typeof value === 'string') return [toPathText(path)];
  if (Array.isArray(value)) return value.flatMap((item, index) => findTextPaths(item, [...path, index]));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => findTextPaths(field, [...path, name]));
};

/** A copy with each text replaced, by its index among all texts. */
export const replaceTexts = (value: unknown, toValue: (index: number) => unknown): unknown => {
  let index = 0;
  return mapTexts(value, () => toValue(index++));
};

/** Whether a value is as expected; objects may have further fields. */
export const isWithin = (expected: unknown, found: unknown): boolean => {
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      expected.length === found.length &&
      expected.every((item, index) => isWithin(item, found[index]))
    );
  if (isMapping(expected))
    return (
      isMapping(found) && Object.entries(expected).every(([name, value]) => isWithin(value, found[name]))
    );
  return expected === found;
};

const maxLength = 300;

/** A text of a target on one line, shortened, and without characters that control a terminal or reverse text. */
export const toPlainText = (text: string, length = maxLength): string => {
  const line = toOneLine(text);
  return line.length > length ? `${line.slice(0, length)}…` : line;
};

/** The same, but not shortened. */
export const toOneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu, toEscape);

const toEscape = (character: string): string =>
  `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;

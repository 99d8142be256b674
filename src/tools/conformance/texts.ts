// Texts inside JSON values.
import { isMapping, mapTexts, textsIn } from '../../core/util/mapping.ts';

/** All texts of a value, at any depth, in the order of {@link replaceTexts}. */
export const findTexts = (value: unknown): string[] => textsIn(value).map(({ text }) => text);

/** A copy with each text replaced, by its index among all texts. */
export const replaceTexts = (value: unknown, toValue: (index: number) => unknown): unknown => {
  let index = 0;
  return mapTexts(value, () => toValue(index++));
};

/** The first place where two values differ. If objects `mayHaveMore`, further fields of the second value are no difference. */
export const findDifference = (
  expected: unknown,
  found: unknown,
  path: string,
  mayHaveMore = false,
): string | undefined => {
  if (typeof expected !== 'object' || typeof found !== 'object' || expected === null || found === null)
    return expected === found ? undefined : path;
  const others = mayHaveMore && isMapping(found) ? [] : Object.keys(found);
  for (const key of new Set([...Object.keys(expected), ...others])) {
    const [wanted, other] = [Reflect.get(expected, key), Reflect.get(found, key)];
    const place = findDifference(wanted, other, `${path}.${key}`, mayHaveMore);
    if (place !== undefined) return place;
  }
  return Array.isArray(expected) === Array.isArray(found) ? undefined : path;
};

/** Whether a value is as expected; objects may have further fields. */
export const isWithin = (expected: unknown, found: unknown): boolean =>
  findDifference(expected, found, '', true) === undefined;

/** A text of a target as {@link toOneLine} writes it, shortened. */
export const toPlainText = (text: string, length = 300): string => {
  const line = toOneLine(text);
  return line.length > length ? `${line.slice(0, length)}…` : line;
};

/** A text of a target on one line, without characters that control a terminal or reverse text. */
export const toOneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu, toEscape);

/** A character as its code, such as `\u0301`. */
export const toEscape = (character: string): string =>
  `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;

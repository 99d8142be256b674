/** Parses a text. Returns undefined if that fails. @param parse Default: `JSON.parse`; `parseJson` keeps large integers */
export const tryParse = <Value = unknown>(
  text: string,
  parse: (text: string) => Value = JSON.parse,
): Value | undefined => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

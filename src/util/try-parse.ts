/** Undefined where the text cannot be parsed. @param parse JSON by default; such as `parseJson`, which keeps the digits of large integers */
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

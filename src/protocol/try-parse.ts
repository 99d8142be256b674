/** Undefined where the text is no JSON. @param parse such as `parseJson`, which keeps the digits of large integers */
export const tryParse = (text: string, parse: (text: string) => unknown = JSON.parse): unknown => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/** Whether a text matches a pattern, in which `*` stands for any text. */
export const matchesPattern = (pattern: string, text: string | undefined): boolean => {
  if (text === undefined) return false;
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
};

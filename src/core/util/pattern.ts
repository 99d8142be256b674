/** Reads a pattern, in which `*` stands for any text. Returns whether a text matches it. */
export const compilePattern = (pattern: string): ((text: string | undefined) => boolean) => {
  const [start = '', ...middle] = pattern.split(/\*+/);
  const end = middle.pop();
  if (end === undefined) return (text) => text === pattern;
  return (text) => {
    if (text === undefined || !text.startsWith(start)) return false;
    let at = start.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return text.length - end.length >= at && text.endsWith(end);
  };
};

/** Whether a text matches a pattern. To try a pattern on many texts, compile it once. */
export const matchesPattern = (pattern: string, text: string | undefined): boolean =>
  compilePattern(pattern)(text);

/** Reads a pattern, in which `*` stands for any text. Returns whether a text matches it. */
export const compilePattern = (pattern: string): ((text: string | undefined) => boolean) => {
  if (!pattern.includes('*')) return (text) => text === pattern;
  const shortest = pattern.replaceAll('*', '').length;
  // The parts of a long pattern take much memory, so they are made when a text is long enough.
  let parts: ReturnType<typeof splitPattern> | undefined;
  return (text) => {
    if (text === undefined || text.length < shortest) return false;
    parts ??= splitPattern(pattern);
    const { start, middle, end } = parts;
    if (!text.startsWith(start)) return false;
    let at = start.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return text.length - end.length >= at && text.endsWith(end);
  };
};

const splitPattern = (pattern: string) => {
  const [start = '', ...middle] = pattern.split(/\*+/);
  const end = middle.pop() ?? '';
  return { start, middle, end };
};

/** Whether a text matches a pattern. To try a pattern on many texts, compile it once. */
export const matchesPattern = (pattern: string, text: string | undefined): boolean =>
  compilePattern(pattern)(text);

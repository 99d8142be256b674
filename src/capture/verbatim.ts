/**
 * A template that renders as this very text. Where it has braces, the delimiters are changed right ahead of the first
 * ones, to some that the text does not have: a tag that stood alone on its line would take the line with it.
 */
export const toVerbatimTemplate = (text: string): string => {
  const at = text.indexOf('{{');
  if (at === -1) return text;
  let [open, number] = ['<%', 0];
  while (text.includes(open)) {
    number += 1;
    open = `<%${number}`;
  }
  return `${text.slice(0, at)}{{=${open} ${open}>=}}${text.slice(at)}`;
};

/** The same for every text in a message but its role, which is not rendered. */
export const toVerbatimMessage = <Value>(value: Value): Value => {
  if (typeof value === 'string') return toVerbatimTemplate(value) as Value;
  if (Array.isArray(value)) return value.map(toVerbatimMessage) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'role' ? inner : toVerbatimMessage(inner)]),
  ) as Value; // the shape stays
};

/**
 * A template that renders to exactly this text. If the text has braces, the delimiters are changed directly before the
 * first ones to some that the text does not contain; a tag on a line of its own would remove the line.
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

/** The same for every text in a message, except for its role, which is not rendered. */
export const toVerbatimMessage = <Value>(value: Value): Value => {
  if (typeof value === 'string') return toVerbatimTemplate(value) as Value;
  if (Array.isArray(value)) return value.map(toVerbatimMessage) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'role' ? inner : toVerbatimMessage(inner)]),
  ) as Value; // the shape is the same
};

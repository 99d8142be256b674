import { mapTexts } from '../../core/util/mapping.ts';

/**
 * A template that renders to exactly this text. If the text has braces, a tag directly before the first braces changes the
 * delimiters to characters that the text does not contain. There, the tag is not alone on its line.
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

/** Writes every text in a message so that it renders as itself. */
export const toVerbatimMessage = (message: unknown): unknown => mapTexts(message, toVerbatimTemplate);

/** A text with a full stop, unless it ends as a sentence already. */
export const endSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

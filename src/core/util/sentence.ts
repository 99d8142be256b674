/** Adds a full stop, unless the text already ends like a sentence. */
export const endSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

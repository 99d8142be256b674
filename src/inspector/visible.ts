/** Characters that are not seen, or that change the order of others: controls, formats such as U+202E, and odd spaces. */
const unseen = '(?!\\n)[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\u2800]|(?! )\\p{Zs}';
const unseenOnly = new RegExp(`(${unseen})`, 'u');
/** Also the marks of a text that is not in its usual form, since it looks like the one that is. */
const unseenOrMarks = new RegExp(`(${unseen}|\\p{M})`, 'u');

/** Whether a text has only characters that are seen and that leave those around them in place. */
export const isPlain = (text: string): boolean => /^[\n -~]*$/.test(text);

/** The parts of a text. Every second one is the code of a character that is not seen. */
export const splitUnseen = (text: string): string[] =>
  text
    .split(text === text.normalize('NFC') ? unseenOnly : unseenOrMarks)
    .map((part, at) => (at % 2 === 0 ? part : codeOf(part)));

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A text with names, or one name, where only text can be: like `Name`. What is isolated already, as by `texts`, stays as it is. */
export const isolate = (text: string): string =>
  text
    .split(/(\u2068[^\u2066-\u2069]*\u2069)/)
    .map((part, at) => (at % 2 === 1 || isPlain(part) ? part : `\u2068${splitUnseen(part).join('')}\u2069`))
    .join('');

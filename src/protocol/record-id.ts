/** The greatest length of an id, which has to fit into a URL. */
export const maxIdLength = 200;

/** A lone surrogate, which cannot be encoded in a URL. */
const brokenText = /\p{Surrogate}/u;

/** Whether a text can be encoded as UTF-8. */
export const isWellFormed = (text: string): boolean => !brokenText.test(text);

/** Whether a text can be one segment of a URL. Clients remove the segments `.` and `..`. */
export const isSegment = (text: string): boolean => !['', '.', '..'].includes(text) && isWellFormed(text);

/** Whether a text may be the id of a record, apart from its length. */
export const isIdText = (id: string): boolean => id !== '__proto__' && isSegment(id);

/** The rule of {@link isIdText} in words. */
export const idTextRule = 'it must be well-formed text, not just dots, and not a reserved name';

/** The greatest length of an id, which has to fit into a URL. */
export const maxIdLength = 200;

/** A lone surrogate, which cannot be encoded in a URL. */
const brokenText = /\p{Surrogate}/u;

/** Whether a text may be the id of a record, apart from its length. It is a segment of a URL: clients remove `.` and `..`. */
export const isIdText = (id: string): boolean =>
  !['', '.', '..', '__proto__'].includes(id) && !brokenText.test(id);

/** The rule of {@link isIdText} in words. */
export const idTextRule = 'it must be well-formed text, not just dots, and not a reserved name';

/** No id is longer: it stands in URLs. */
export const maxIdLength = 200;

/** Half of a character, which no URL can hold. */
const brokenText = /\p{Surrogate}/u;

/** Whether a text is one that UTF-8 can write. */
export const isWellFormed = (text: string): boolean => !brokenText.test(text);

/** Whether a text can be one segment of a URL: those that go up or stay are taken out by whoever reads it. */
export const isSegment = (text: string): boolean => !['', '.', '..'].includes(text) && isWellFormed(text);

/** Whether a text may be the id of a record, however long it is. */
export const isIdText = (id: string): boolean => id !== '__proto__' && isSegment(id);

/** What {@link isIdText} asks for. */
export const idTextRule = 'it must be well-formed text, and neither dots alone nor a reserved name';

/** The session of calls that name none. */
export const defaultSession = 'default';

/** What a session's name may look like. */
export const isSessionName = (name: string): boolean =>
  /^(?!(?:\.\.?|__proto__)$)[A-Za-z0-9._-]{1,64}$/.test(name);

/** What {@link isSessionName} asks for, in words. */
export const sessionNameRule =
  'a name has 1 to 64 letters, digits, dots, dashes or underscores, and is not ., .. or __proto__';

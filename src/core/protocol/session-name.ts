/** The session of calls without a session name. */
export const defaultSession = 'default';

/** Whether a text may be the name of a session. */
export const isSessionName = (name: string): boolean =>
  /^(?!(?:\.\.?|__proto__)$)[A-Za-z0-9._-]{1,64}$/.test(name);

/** The rule of {@link isSessionName} in words. */
export const sessionNameRule =
  'a name has 1 to 64 letters, digits, dots, dashes or underscores, and is not ., .. or __proto__';

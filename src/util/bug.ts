/** Reports an error that only a bug can cause, with its stack. */
export const reportBug = (error: unknown): void => {
  console.error('gateway-mock: internal error. Please report it.', error);
};

/** What a client sees of a bug: no stack, and no path of the installation, as the messages of system errors have. */
export const describeBug = (error: unknown): string => {
  const code: unknown = Reflect.get(Object(error), 'code');
  return `Internal error of gateway-mock: ${typeof code === 'string' ? code : String(error)}. Please report it.`;
};

import { clientMessageOf } from './message-of.ts';

/** Reports an error that only a bug can cause, with its stack. */
export const reportBug = (error: unknown): void => {
  console.error('gateway-mock: internal error. Please report it.', error);
};

/** What a client sees of a bug. */
export const describeBug = (error: unknown): string =>
  `Internal error of gateway-mock: ${clientMessageOf(error)}. Please report it.`;

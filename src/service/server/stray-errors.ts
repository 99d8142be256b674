// Errors that a user's own calls leave behind, such as a request that nobody awaits, or a throw in a timer.
import { AsyncLocalStorage } from 'node:async_hooks';
import { messageOf } from '../../core/util/message-of.ts';
import type { OwnDefinition } from '../gateway/gateway-parts.ts';

/** The id of the own call that runs, or that started the running code. */
const runningCall = new AsyncLocalStorage<string>();

/** Wraps the calls, so that errors can name them. */
export const nameInErrors = (calls: readonly OwnDefinition[]): OwnDefinition[] =>
  calls.map((call) =>
    'handle' in call
      ? {
          ...call,
          handle: (parts, tools) => runningCall.run(call.id, () => call.handle(parts, tools)),
        }
      : call,
  );

/** The folder of this package's code. */
const ownFolder = new URL('.', import.meta.url).href;

/**
 * From now on, an error that a user's own call leaves behind no longer ends the process: it is reported. An error of this package
 * still ends it.
 *
 * @returns a function that returns the last such error
 */
export const surviveStrayErrors = (report: (message: string) => void): (() => string | undefined) => {
  let lastError: string | undefined;
  const survive = (error: unknown): void => {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const origin = stack.split('\n').find((line) => /^\s+at (?!.*node:)/.test(line)) ?? '';
    if (origin.includes(ownFolder)) {
      console.error(error);
      process.exit(1);
    }
    const call = runningCall.getStore();
    const place = origin === '' ? '' : ` (${origin.trim()})`;
    lastError = `${call === undefined ? 'A call of your own (it is unknown which)' : `The call "${call}"`} left an error behind: ${messageOf(error)}${place}`;
    report(`${lastError}. Catch it in the call. The server continues.`);
  };
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
  return () => lastError;
};

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DefinedCall, isDefinedCall } from '../gateway/own-calls.ts';
import { messageOf } from '../util/message-of.ts';
import { endSentence } from '../util/sentence.ts';

let loads = 0;

const explain = (path: string, error: unknown): string => {
  if (!existsSync(path)) return 'there is no such file.';
  const message = endSentence(messageOf(error));
  if (error instanceof SyntaxError) return `${message} The command node --check ${path} shows the line.`;
  const [, line] = /\?load=\d+:(\d+)/.exec(Object(error).stack) ?? [];
  return line === undefined ? message : `line ${line}: ${message}`;
};

/**
 * Loads the calls that a module exports. Node keeps a module that it has loaded, so each load has another URL; modules that this one
 * imports stay as they were.
 *
 * @throws Error if it cannot be loaded, or exports no call
 */
export const loadCalls = async (path: string): Promise<DefinedCall[]> => {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(`${pathToFileURL(resolve(path))}?load=${++loads}`);
  } catch (error) {
    throw new Error(`Failed to load the calls from ${path}: ${explain(path, error)}`);
  }
  const calls = [...new Set(Object.values(exported).flat())].filter(isDefinedCall) as DefinedCall[]; // checked
  if (calls.length === 0)
    throw new Error(
      `Failed to load the calls from ${path}: it exports none. Export what defineCall() returns.`,
    );
  return calls.map((call) => ({ ...call, file: path }));
};

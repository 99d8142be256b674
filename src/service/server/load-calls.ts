import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../core/util/message-of.ts';
import { type DefinedCall, isDefinedCall } from '../gateway/own-calls.ts';

let loads = 0;

/**
 * Loads the calls that a module exports. Node keeps a module that it has loaded, so each load has another URL; modules that this one
 * imports stay as they were.
 *
 * @throws Error if it cannot be loaded, or exports no call
 */
export const loadCalls = async (path: string): Promise<DefinedCall[]> => {
  if (!existsSync(path)) throw new Error(`Failed to load the calls from ${path}: there is no such file.`);
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(`${pathToFileURL(resolve(path))}?load=${++loads}`);
  } catch (error) {
    throw new Error(
      `Failed to load the calls from ${path}: ${messageOf(error)}. The command node ${path} shows the line.`,
    );
  }
  const calls = [...new Set(Object.values(exported).flat())].filter(isDefinedCall) as DefinedCall[]; // checked
  if (calls.length === 0)
    throw new Error(
      `Failed to load the calls from ${path}: it exports none. Export what defineCall() returns.`,
    );
  return calls;
};

import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { checkValue } from '../../core/util/check-value.ts';
import { isMapping } from '../../core/util/mapping.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { suggest } from '../../core/util/nearest.ts';
import { endSentence } from '../../core/util/sentence.ts';
import { describeError } from '../../core/util/validation-error.ts';
import type { OwnDefinition } from '../gateway/gateway-parts.ts';
import { type CallDefinition, type DefinedCall, defineCall } from '../gateway/own-calls.ts';
import { type DefinedRecords, defineRecords } from '../gateway/own-records.ts';

/** The calls of `gateway-mock/calls`, by name. They are loaded only if they are asked for. */
const readyMade: Readonly<Record<string, () => Promise<readonly DefinedCall[]>>> = {
  runs: async () => (await import('../calls/runs.ts')).runs,
  batches: async () => (await import('../calls/batches.ts')).batches,
  jobs: async () => (await import('../calls/jobs.ts')).jobs,
  chat: async () => (await import('../calls/chat.ts')).chat,
};

/** The files in a value of `--calls`. */
export const callFiles = (text: string): string[] => toSources(text).filter(isFile);

/**
 * Loads calls: ready-made calls by their names, and the calls of files, separated by commas. @throws Error if they cannot be
 * loaded, or a call is invalid
 */
export const loadCalls = async (text: string): Promise<OwnDefinition[]> => {
  const loaded = toSources(text).map((source) => (isFile(source) ? loadFile(source) : loadReadyMade(source)));
  return (await Promise.all(loaded)).flat();
};

/** The names and files in a value of `--calls`: `runs,chat,./calls.mjs`. */
const toSources = (text: string): string[] =>
  existsSync(text) ? [text] : text.split(',').map((source) => source.trim());

const isFile = (source: string): boolean => /[./\\]/.test(source);

const loadReadyMade = async (name: string): Promise<readonly DefinedCall[]> => {
  const names = Object.keys(readyMade);
  if (Object.hasOwn(readyMade, name)) return readyMade[name]?.() ?? [];
  throw new Error(
    `Failed to load the calls "${name}": there are no ready-made calls of this name. A file has a path, such as ./calls.mjs.${endSentence(suggest(name, names))}`,
  );
};

const loadFile = async (path: string): Promise<OwnDefinition[]> => {
  const fail = (reason: string): never => {
    throw new Error(`Failed to load the calls from ${path}: ${reason}`);
  };
  if (!existsSync(path)) return fail('there is no such file.');
  if (statSync(path).isDirectory()) return fail('it is a folder. Give its files, separated by commas.');
  const values = /\.(?:json|ya?ml)$/i.test(path)
    ? await readReplies(path, fail)
    : await readModule(path, fail);
  if (values.length === 0) return fail('it exports no calls. Export objects { id, method, path, handle }.');
  try {
    // The two functions check the value.
    return values.map((value) =>
      'idPrefix' in value ? defineRecords(value as DefinedRecords) : defineCall(value as CallDefinition),
    );
  } catch (error) {
    return fail(messageOf(error));
  }
};

type Fail = (reason: string) => never;

let loads = 0;

/** How long a module of calls may take to load, in milliseconds. */
const maxLoading = 20_000;

/** A function of its own: Next.js's bundler looks for a file if it sees a part of the URL in the `import`, and fails. */
const importUrl = (url: string): Promise<object> => import(url);

/**
 * The exports of a module that look like calls or kinds of records. If its default export is a function, that gets the exports of
 * `gateway-mock/calls`, and returns them. Node caches modules by URL, so each load uses another URL; the modules that it imports
 * stay as they were.
 */
const readModule = async (path: string, fail: Fail): Promise<object[]> => {
  let timer: NodeJS.Timeout | undefined;
  // The timer also keeps Node alive, which ends without a word while a module waits for nothing.
  const late = new Promise<never>((_, reject) => {
    const reason = `it has not loaded after ${maxLoading / 1000} s, perhaps because of a top-level await that never ends`;
    timer = setTimeout(() => reject(new Error(reason)), maxLoading);
  });
  const load = async (): Promise<unknown[]> => {
    const exported = await importUrl(`${pathToFileURL(resolve(path))}?load=${++loads}`);
    const { default: make } = exported as { readonly default?: unknown };
    return Object.values(typeof make === 'function' ? [await make(await loadTools())] : exported).flat();
  };
  try {
    const values = await Promise.race([load(), late]);
    return [...new Set(values)].filter(
      (value): value is object =>
        isMapping(value) && ['handle', 'path', 'idPrefix'].some((part) => part in value),
    );
  } catch (error) {
    const message = messageOf(error);
    const hint = message.includes("'gateway-mock'")
      ? ' Without an installed package, use export default ({ defineCall }) => [ … ].'
      : ` The command node ${path} shows the line.`;
    return fail(endSentence(message) + hint);
  } finally {
    clearTimeout(timer);
  }
};

/** The argument of a module's function. */
const loadTools = async () => {
  const [runs, batches, jobs, chat] = await Promise.all(Object.values(readyMade).map((load) => load()));
  const { createChat } = await import('../calls/chat.ts');
  return { defineCall, defineRecords, runs, batches, jobs, chat, createChat };
};

/** A call whose reply is always the same. */
const fixedReply = z.looseObject({
  status: z.int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.json().default(null),
});

/** The calls of a JSON or YAML file, which have fixed replies. */
const readReplies = async (path: string, fail: Fail): Promise<object[]> => {
  const { readDocument } = await import('../../core/scenario/file.ts');
  const { value, errors = [] } = readDocument(path, path, await readFile(path, 'utf8'));
  if (errors.length > 0) return fail(`${errors.map(describeError).join('; ')}.`);
  return [value].flat().map((entry, index) => {
    const { data, errors: problems } = checkValue(fixedReply, entry);
    if (data === undefined)
      return fail(
        `${problems.map((error) => describeError({ ...error, path: [index, ...error.path] })).join('; ')}.`,
      );
    const { status, headers, body, ...call } = data;
    const handle: DefinedCall['handle'] = (_call, { reply }) => reply(status, body, headers);
    return { ...call, handle };
  });
};

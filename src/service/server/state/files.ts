import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJson, toJsonText } from '../../../core/util/json.ts';

/** Creates a folder and its parents, one at a time: Node's recursive `mkdirSync` never returns in /proc. @throws Error of the system */
export const makeFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
};

/** Converts the name of a session into that of a file. Some file systems ignore letter case. */
export const toFileName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`);

/** The name of the session with this file name. */
export const fromFileName = (file: string): string =>
  file.replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The text of a file; undefined if the path does not exist, empty if it is not a file. */
export const readIfAny = (path: string): string | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isFile() ? readFileSync(path, 'utf8') : '';
};

/**
 * Writes a value as a line with the version and a checksum, and a line of JSON. If that fails, such as on a full disk, the file
 * stays as it was. Only its owner may read the file, since a scenario may have keys.
 *
 * @throws Error of the system
 */
export const writeValue = (path: string, value: object, version: string): void => {
  const json = toJsonText(value);
  const temporary = path.replace(/\w+$/, 'new');
  try {
    writeFileSync(temporary, `${toHead(json, version)}\n${json}\n`, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true });
    throw error;
  }
};

/** Reads a secret, which is created the first time. Only its owner may read the file. */
export const readKey = (path: string): string => {
  const stored = readIfAny(path);
  if (stored) return stored;
  const key = randomBytes(32).toString('hex');
  writeFileSync(path, key, { mode: 0o600, flush: true });
  return key;
};

/** Reads a text that `writeValue` wrote. @throws Error if it is damaged, or was written by another version */
export const parseValue = (text: string, version: string): unknown => {
  const end = text.indexOf('\n');
  const [head, json] = [text.slice(0, end), text.slice(end + 1, -1)];
  const [, other] = /^gateway-mock (\S+) sha256 \w+$/.exec(head) ?? [];
  if (other !== undefined && other !== version)
    throw new Error(`its file was written by the version ${other}, and this is ${version}`);
  if (head !== toHead(json, version)) throw new Error('its file is damaged');
  return parseJson(json);
};

const toHead = (json: string, version: string): string =>
  `gateway-mock ${version} sha256 ${createHash('sha256').update(json).digest('hex')}`;

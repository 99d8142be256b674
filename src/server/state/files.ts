import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { StoredSession } from '../../control/session-store.ts';
import { parseJson, toJsonText } from '../../util/json.ts';

/** Names that are devices on Windows, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/** The name of a session as that of a file. Some file systems ignore letter case; Windows ignores a dot at the end. */
export const toFileName = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`)
    .replace(device, '+_$&')
    .replace(/\.$/, '+-');

/** The name of the session with this file name. */
export const fromFileName = (file: string): string =>
  file
    .replace(/\+-$/, '.')
    .replace(/^\+_/, '')
    .replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The largest file that is read, in bytes: a text cannot be longer. */
const maxSize = 2 ** 29;

/** The text of a file; undefined if there is none, and empty if it cannot be one of ours. Reading a named pipe may never end. */
export const readIfAny = (path: string): string | undefined => {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && !(stat.isFile() && stat.size <= maxSize)) return '';
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !existsSync(path)) return undefined;
    throw error;
  }
};

export const codeOf = (error: unknown): string => String(Reflect.get(Object(error), 'code'));

/** Writes a file whole or not at all. Only its owner may read it: a scenario may have keys. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
};

/** A stored session as text: a line with the version and a checksum, and a line of JSON. */
export const toFileText = (session: StoredSession, version: string): string => {
  const json = toJsonText(session);
  return `${toHead(json, version)}\n${json}\n`;
};

/** Reads such a text. @throws Error if it is damaged, or was written by another version */
export const fromFileText = (text: string, version: string): StoredSession => {
  const end = text.indexOf('\n');
  const [head, json] = [text.slice(0, end), text.slice(end + 1, -1)];
  const [, other] = /^gateway-mock (\S+) sha256 \w+$/.exec(head) ?? [];
  if (other !== undefined && other !== version)
    throw new Error(`its file was written by the version ${other}, and this is ${version}`);
  if (head !== toHead(json, version)) throw new Error('its file is damaged');
  return parseJson(json) as StoredSession; // the checksum shows that this version wrote it
};

const toHead = (json: string, version: string): string =>
  `gateway-mock ${version} sha256 ${createHash('sha256').update(json).digest('hex')}`;

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How old the files of sessions become, in milliseconds: a week. */
const maxAge = 7 * 24 * 3600 * 1000;

/**
 * Removes what nobody has touched for a week: stored sessions, notes about lost ones, and what dead servers left.
 *
 * @param own a file that was just written: by its time the others are old, whatever the clock of this machine says
 * @param isHeld whether a file belongs to a server that is alive
 * @throws Error if the directory cannot be used
 */
export const sweep = async (
  folders: readonly string[],
  own: string,
  isHeld: (path: string) => boolean,
): Promise<void> => {
  const now = await stat(own).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (now === undefined) return; // the server has ended by now
  for (const folder of folders)
    for (const file of await readdir(folder)) {
      const path = join(folder, file);
      const found = await stat(path).catch(() => undefined); // another server may have removed it
      if (found !== undefined && now - found.mtimeMs > maxAge && !isHeld(path))
        await rm(path, { force: true });
    }
};

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFolder } from './build-once.ts';

/** The project's root. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A new folder below the project, so that the packages that a file in it imports are found. */
export const makeBuiltFolder = (name: string): string => {
  const folder = join(root, 'node_modules/.cache', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
};

/**
 * Writes a module into a folder, to run against the build: what it imports from `gateway-mock`, or from a door in `src/`,
 * is the built one; what it imports from `test/` is found there.
 */
export const writeBuilt = (folder: string, name: string, text: string): string => {
  const door = (_: string, name = 'index'): string => `'${join(root, buildFolder, `${name}.js`)}'`;
  const file = join(folder, name);
  writeFileSync(
    file,
    text
      .replace(/'gateway-mock(?:\/(\w+))?'/g, door)
      .replace(/'\.\.\/\.\.\/src\/(\w+)\.ts'/g, door)
      .replace(/'\.\.\/([\w-]+\.ts)'/g, (_, helper: string) => `'${join(root, 'test', helper)}'`),
  );
  return file;
};

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

export { root } from './root.ts';

/** Where the build of this run is. */
export const buildFolder = inject('buildFolder');

/** A new folder of this run, in which the packages that a file imports are found. */
export const makeBuiltFolder = (name: string): string => {
  const folder = join(buildFolder, 'files', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Writes a module into a folder, to run against the build: what it imports from `gateway-mock`, or from an entry point in `src/`, is the built one. */
export const writeBuilt = (folder: string, name: string, text: string): string => {
  const toBuilt = (_: string, name = 'index'): string => `'${join(buildFolder, `${name}.js`)}'`;
  const file = join(folder, name);
  writeFileSync(
    file,
    text.replace(/'gateway-mock(?:\/([\w-]+))?'/g, toBuilt).replace(/'\.\.\/\.\.\/src\/(\w+)\.ts'/g, toBuilt),
  );
  return file;
};

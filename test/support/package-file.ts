// The tarball as npm would publish it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './write-built.ts';

const run = promisify(execFile);

/** Packs what was built into a folder, and returns the tarball's path. */
export const pack = async (folder: string): Promise<string> => {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root });
  return join(folder, JSON.parse(stdout)[0].filename);
};

/** The package by which npm has a Node of another version for this platform, and where its program is. */
export const nodePackage = (version: string) => {
  const name = `node-${process.platform}-${process.arch}`;
  return { specifier: `${name}@${version}`, program: join('node_modules', name, 'bin/node') };
};

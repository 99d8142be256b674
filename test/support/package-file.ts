// The tarball as npm would publish it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './write-built.ts';

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

/** Packs what was built into a folder, and returns the tarball's path. */
export const pack = async (folder: string): Promise<string> => {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await runNpm(args, { cwd: root });
  return join(folder, JSON.parse(stdout)[0].filename);
};

/** Runs `npm`, or `npx`. On Windows they are batch files, which Node starts in a shell alone. */
export const runNpm = (args: readonly string[], options: { readonly cwd: string }, program = 'npm') =>
  run(program, [...args], { ...options, shell: isWindows });

/** The package by which npm has a Node of another version for a platform, and where its program is: as the package `node` has it. */
export const nodePackage = (version: string) => {
  const { platform, arch } = process;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const program = platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return { specifier: `${name}@${version}`, program: join('node_modules', name, program) };
};

// Projects in which `gateway-mock init` is run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { runCli } from './run-cli.ts';
import { makeBuiltFolder, writeBuilt } from './write-built.ts';

export type Files = Readonly<Record<string, string>>;

export const packageOf = (manifest: object): Files => ({ 'package.json': JSON.stringify(manifest) });
export const using = (...names: string[]) => ({
  devDependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});

/** What `init` prints in a folder, by the lines of its commands and by the files it wrote. */
export const init = async (folder: string, ...options: string[]) => {
  const { code, stdout, stderr } = await runCli('init', '--dir', folder, ...options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [, files = '', commands = ''] = /^(.*)Next:\n(.*)$/s.exec(stdout) ?? [];
  return {
    written: [...files.matchAll(/^Wrote (.*?):/gm)].map(([, file = '']) => relative(folder, file)),
    commands: commands
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  };
};

/** A project where the package is the built one, with the test that `init` wrote. */
export const makeInitProject = async (
  name: string,
  files: Files,
): Promise<{ folder: string; file: string }> => {
  const folder = makeBuiltFolder(`gateway-mock-init-${name}`);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const { written } = await init(folder);
  const [, file = ''] = written;
  writeBuilt(folder, file, readFileSync(join(folder, file), 'utf8'));
  return { folder, file };
};

// Before the tests of a project that start what was built: the build, apart from `dist/`, in a folder of this run's own.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../.config/bundle.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the build of this run is. */
    readonly buildFolder: string;
  }
}

/** Below the project's root, so that what a build imports is found. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const prefix = 'gateway-mock-test-';

/** Of the build that all projects of a run share, however many ask for it. */
const shared = globalThis as { gatewayMockBuild?: Promise<string> };

export default async ({ provide }: TestProject): Promise<() => void> => {
  shared.gatewayMockBuild ??= build();
  const folder = await shared.gatewayMockBuild;
  provide('buildFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
};

const build = async (): Promise<string> => {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(cache, name), { recursive: true, force: true }); // of a run that was killed
  const folder = join(cache, `${prefix}${process.pid}`);
  const { metafile } = await bundle(folder);
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(metafile)); // which module is in which file
  return folder;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

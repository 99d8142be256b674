// What is in the files that are published, by the modules that they were made of.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, inject, test } from 'vitest';

interface Output {
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

const { outputs } = JSON.parse(readFileSync(join(inject('buildFolder'), 'modules.json'), 'utf8')) as {
  readonly outputs: Readonly<Record<string, Output>>;
};

/** The modules that an entry point loads with itself, each with its size. */
const modulesOf = (entry: string): Map<string, number> => {
  const modules = new Map<string, number>();
  const files = new Set(Object.keys(outputs).filter((file) => basename(file) === entry));
  expect([...files]).toHaveLength(1);
  for (const file of files) {
    const { inputs = {}, imports = [] } = outputs[file] ?? {};
    for (const [name, { bytesInOutput }] of Object.entries(inputs)) modules.set(name, bytesInOutput);
    for (const { path, kind, external } of imports)
      if (external !== true && kind === 'import-statement') files.add(path);
  }
  return modules;
};

const sizeOf = (modules: Map<string, number>, pattern: RegExp): number =>
  [...modules].filter(([name]) => pattern.test(name)).reduce((sum, [, size]) => sum + size, 0);

test.each(['index.js', 'node.js', 'server.js', 'browser.js'])(
  '%s brings faker, and the models with their query engine',
  (entry) => {
    const modules = modulesOf(entry);
    expect(sizeOf(modules, /@faker-js\/faker\//)).toBeGreaterThan(100_000);
    for (const part of [
      'query/executeQuery',
      'query/compileQuery',
      'model/updateEntity',
      'relations/Relation',
    ])
      expect([part, sizeOf(modules, new RegExp(`@mswjs/data/lib/${part}`)) > 500]).toEqual([part, true]);
  },
);

test('of the library with the models, just the generators of handlers are left out', () => {
  const left = [...modulesOf('index.js')].filter(([name]) => /^handlers:/.test(name));
  expect(left.map(([name]) => basename(name)).sort()).toEqual([
    'generateGraphQLHandlers',
    'generateRestHandlers',
  ]);
});

test('the client of a running server needs none of them', () => {
  expect(sizeOf(modulesOf('client.js'), /@faker-js|@mswjs|zod/)).toBe(0);
});

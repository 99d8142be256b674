// What others make of the OpenAPI document: a linter and two client generators, which take ten seconds to load.
import { admin, gateway as text } from 'virtual:openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { runNpm } from '../support/package-file.ts';

/** The errors of the compiler in a file, in strict mode. */
const compile = (file: string, options: ts.CompilerOptions): string[] => {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: [],
    ...options,
  });
  const errors = ts.getPreEmitDiagnostics(program);
  return errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

test('the linter has nothing to say by its recommended rules, and would say so', async () => {
  const lint = async (source: string): Promise<string[]> => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    return problems.map(({ ruleId }) => ruleId);
  };
  expect([await lint(text), await lint(admin)]).toEqual([[], []]);
  const wrong = text.replace(/"has_more": true/, '"has_more": "yes"');
  expect(await lint(wrong)).toContain('no-invalid-media-type-examples');
});

test('a client generator accepts it, and what it makes compiles where it is used as the contract says', async () => {
  const files: Record<string, string> = {
    'types.ts': astToString(await openapiTS(text)),
    'use.ts': `
      import type { components, operations, paths } from './types.ts';
      type Run = components['schemas']['Run'];
      type Reply<Id extends keyof operations> =
        operations[Id] extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
      export const query: NonNullable<operations['listRuns']['parameters']['query']> = { limit: 5, order: 'asc' };
      export const totals = (page: Reply<'listRuns'>): number[] => page.data.map((run: Run) => run.usage?.total_tokens ?? 0);
      export const next = (page: Reply<'listCheckpoints'>): string | null => page.has_more ? page.last_id : null;
      export const failed = (page: Reply<'listBatches'>): string[] => page.data.flatMap((batch) => batch.errors?.data.map(({ message }) => message) ?? []);
      export const unit = (policy: Reply<'getRateLimitsPolicy'>): 'rpm' | 'rph' | 'rpd' => policy.unit;
      export const body: paths['/prompts/{promptId}/render']['post']['requestBody']['content']['application/json'] = { variables: { name: 'Ada' }, temperature: 0 };
      // @ts-expect-error variables are required
      export const bare: typeof body = { temperature: 0 };
      // @ts-expect-error order is one of two
      export const wrong: typeof query = { order: 'newest' };
      export const temperature = ({ data }: Reply<'renderPrompt'>): number | undefined => data.temperature;
      export const first = (page: Reply<'listRuns'>): string => page.first_id;
      export const step = (page: Reply<'listCheckpoints'>): number => page.data[0]!.step_number;
      export const code = ({ error }: components['schemas']['Error']): string | null => error.code;
    `,
  };
  const folder = makeFolder(files);
  expect(compile(`${folder}/use.ts`, { exactOptionalPropertyTypes: true })).toEqual([]);
});

test('a generator of functions accepts it, and what they return has the types of the contract', async () => {
  const folder = makeFolder({
    'package.json': '{}',
    'openapi.json': text,
    'use.ts': `
      import { listRuns, renderPrompt } from './made/index';
      const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
      export const temperature = async (): Promise<number | undefined> => {
        const { data } = await renderPrompt({ path: { promptId: 'welcome' }, body: { variables: {} }, headers });
        return data?.data.temperature;
      };
      export const first = async (): Promise<string | undefined> =>
        (await listRuns({ path: { thread_id: 'thread_demo' }, query: { order: 'asc' }, headers })).data?.first_id;
      // @ts-expect-error order is one of two
      export const wrong = listRuns({ path: { thread_id: 'thread_demo' }, query: { order: 'newest' }, headers });
    `,
  });
  // It runs with TypeScript 5 alone, so it is no package of this repository.
  const packages = ['@hey-api/openapi-ts@0.90', 'typescript@5'];
  await runNpm(['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  await runNpm(['openapi-ts', '-i', 'openapi.json', '-o', 'made', '--silent'], { cwd: folder }, 'npx');
  const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const lib = ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];
  expect(compile(`${folder}/use.ts`, { ...bundler, lib })).toEqual([]);
});

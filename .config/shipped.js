// Compiles `scenarios/`, `fixtures/` and the words that seeds draw into one module, so that nothing parses them at run time.
// The build and the tests both read it under the name `virtual:shipped`.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { base, en } from '@faker-js/faker';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The name by which the sources import this module. */
export const shippedModule = 'virtual:shipped';

/** The folders that it is compiled from, as absolute paths. */
export const shippedFolders = ['scenarios', 'fixtures/prompts'].map((folder) => join(root, folder));

/**
 * @param {string} folder
 * @returns {Record<string, unknown>} the parsed files by their base name
 */
const readFolder = (folder) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .sort()
      .map((file) => [basename(file, '.yaml'), parse(readFileSync(join(folder, file), 'utf8'))]),
  );

/** @returns {string} the text of `src/core/scenario/shipped-names.ts`: `npm run docs` writes it, and a test checks it */
export const shippedNames = () => {
  const [scenarios = {}] = shippedFolders.map(readFolder);
  return [
    '// Written by `npm run docs`, from the files in `scenarios/`.',
    '/** The name of a scenario that ships with the package. */',
    'export type ShippedScenario =',
    `${Object.keys(scenarios)
      .map((name) => `  | '${name}'`)
      .join('\n')};`,
    '',
  ].join('\n');
};

/** The words of faker that the seeds draw: a tenth of the locale. If a seed draws another one, faker's error names it. */
const words = {
  company: en.company,
  location: { ...base.location, ...en.location },
  person: en.person,
};

/**
 * @param {Readonly<Record<string, string>>} checked the complete scenarios that were checked before, as JSON
 * @returns {string} the module's source text
 */
export const compileShipped = (checked = {}) => {
  const [scenarios = {}, prompts = {}] = shippedFolders.map(readFolder);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const exported = { scenarios, prompts, version, checked, words };
  // Parsing JSON takes half the time of evaluating a literal.
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`)
    .join('');
};

// `npm run docs`: writes what of README.md and docs/ is made from the code, and the names of the scenarios for the types.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { fillControl, fillReadme } from './readme-tables.js';
import { shippedNames } from './shipped.js';

const root = new URL('..', import.meta.url);
const built = new URL('node_modules/.cache/gateway-mock-docs/', root);
await bundle(fileURLToPath(built), ['src/operations/index.ts', 'src/control/control.ts']);
/** @type {typeof import('../src/index.ts')} */
const { assumptions, createGateway } = await import(new URL('index.js', built).href);

/** @type {typeof import('../src/operations/index.ts')} */
const operations = await import(new URL('operations/index.js', built).href);
/** @type {typeof import('../src/control/control.ts')} */
const { allCommands } = await import(new URL('control/control.js', built).href);
const contracts = Object.values(operations).map(({ contract }) => contract);
const scenarios = await createGateway().scenario.list();

/**
 * @param {string} path
 * @param {(text: string) => string} change
 */
const rewrite = (path, change) => {
  const file = new URL(path, root);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};
rewrite('README.md', (readme) => fillReadme(readme, { assumptions, scenarios, contracts }));
rewrite('docs/control.md', (control) => fillControl(control, contracts, allCommands));
rewrite('src/scenario/shipped-names.ts', shippedNames);

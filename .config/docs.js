// `npm run docs`: writes the tables of README.md that are made from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { fillReadme } from './readme-tables.js';

const root = new URL('..', import.meta.url);
const built = new URL('node_modules/.cache/gateway-mock-docs/', root);
await bundle(fileURLToPath(built));
/** @type {typeof import('../src/index.ts')} */
const { assumptions, createGateway } = await import(new URL('index.js', built).href);

const file = new URL('README.md', root);
const scenarios = await createGateway().scenario.list();
writeFileSync(file, fillReadme(readFileSync(file, 'utf8'), { assumptions, scenarios }));

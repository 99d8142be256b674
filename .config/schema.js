// `npm run schema`: writes the JSON Schema by which editors complete and check scenario files.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';

const root = new URL('..', import.meta.url);
const built = new URL('node_modules/.cache/gateway-mock-schema/', root);
await bundle(fileURLToPath(built));
/** @type {typeof import('../src/index.ts')} */
const { scenarioJsonSchema } = await import(new URL('index.js', built).href);
// It is nested deeply: indented by two spaces, more than half of it would be spaces.
writeFileSync(
  new URL('scenarios/scenario.schema.json', root),
  `${JSON.stringify(scenarioJsonSchema(), null, 1)}\n`,
);

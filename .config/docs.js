// `npm run docs`: writes the parts of README.md and docs/ that are generated from the code, the JSON Schema with which editors
// complete and check scenario files, and the names of the scenarios for the types.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toAgents, toLlms } from './agents.js';
import { bundle } from './bundle.js';
import { fillPage, toCalls, toPodsProxy, toTables } from './docs-tables.js';
import { shippedNames } from './shipped.js';

const root = new URL('..', import.meta.url);
const built = new URL('node_modules/.cache/gateway-mock-docs/', root);
await bundle(fileURLToPath(built), [
  'src/core/operations/index.ts',
  'src/service/control/control.ts',
  'src/tools/cli/command-line.ts',
]);
/** @type {typeof import('../src/index.ts')} */
const { assumptions, createGateway, scenarioJsonSchema } = await import(new URL('index.js', built).href);

/** @type {import('../src/core/operations/operation.ts').ContractOperation[]} */
const operations = Object.values(await import(new URL('core/operations/index.js', built).href));
/** @type {typeof import('../src/service/control/control.ts')} */
const { allCommands } = await import(new URL('service/control/control.js', built).href);
/** @type {typeof import('../src/tools/cli/command-line.ts')} */
const { listServerOptions } = await import(new URL('tools/cli/command-line.js', built).href);
const gateway = createGateway();
const scenarios = await gateway.scenario.list();

/**
 * @param {string} path
 * @param {(text: string) => string} change
 */
const rewrite = (path, change) => {
  const file = new URL(path, root);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};
const tables = toTables({
  assumptions,
  scenarios,
  operations,
  calls: await toCalls(operations, assumptions, gateway.fetch),
  commands: allCommands,
  ...listServerOptions(),
});
const pages = readdirSync(new URL('docs', root)).filter((file) => file.endsWith('.md'));
for (const page of ['README.md', ...pages.map((file) => `docs/${file}`)])
  rewrite(page, (text) => fillPage(text, tables));
writeFileSync(new URL('llms.txt', root), toLlms());
writeFileSync(new URL('AGENTS.md', root), toAgents());
rewrite('src/core/scenario/shipped-names.ts', shippedNames);
// It is nested deeply: indented by two spaces, more than half of it would be spaces.
const schema = `${JSON.stringify(scenarioJsonSchema(), null, 1)}\n`;
writeFileSync(new URL('scenarios/scenario.schema.json', root), schema);
const proxy = readFileSync(new URL('docs/replicas.cfg', root), 'utf8');
rewrite('docs/kubernetes/base/haproxy.cfg', () => toPodsProxy(proxy));

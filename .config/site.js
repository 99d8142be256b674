// `npm run docs:site`: builds the docs as a site, in .site/. The API reference is made of the built type declarations.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string[]} args */
const run = (...args) => void execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

/** @type {{ exports: Record<string, { types?: string, import?: { types?: string } }> }} types are for all, or for `import` apart */
const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const declarations = Object.values(exports)
  .map((entry) => entry.types ?? entry.import?.types)
  .filter((types) => types !== undefined);

const tsconfig = 'node_modules/.cache/gateway-mock-typedoc.json';
mkdirSync(new URL('../node_modules/.cache', import.meta.url), { recursive: true });
writeFileSync(
  new URL(`../${tsconfig}`, import.meta.url),
  JSON.stringify({
    extends: '../../tsconfig.json',
    compilerOptions: { skipLibCheck: true },
    files: declarations.map((file) => `../../${file}`),
    include: [],
  }),
);

run('.config/build.js');
run(
  'node_modules/typedoc/bin/typedoc',
  ...['--tsconfig', tsconfig],
  ...['--plugin', 'typedoc-plugin-markdown', '--router', 'module'],
  ...['--out', 'docs/reference', '--readme', 'none', '--entryFileName', 'modules.md'],
  ...['--name', 'API reference', '--disableSources'],
  ...['--hideBreadcrumbs', '--hidePageHeader'],
  ...['--useHTMLAnchors', '--anchorPrefix', 'api-'],
  ...declarations,
);
run('node_modules/vitepress/bin/vitepress.js', 'build', 'docs');

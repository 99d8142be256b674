// `npm run docs:site`: builds the docs as a site, in .site/. README.md is its first page.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const index = new URL('docs/index.md', root);
const readme = readFileSync(new URL('README.md', root), 'utf8');
writeFileSync(index, readme.replaceAll('](docs/', ']('));
try {
  execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  });
} finally {
  rmSync(index);
}

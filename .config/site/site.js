// `npm run docs:site`: builds the docs as a site, in .site/. README.md is its first page. Its packages are installed here, by this
// command alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [here, root] = ['.', '../..'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const vitepress = `${here}node_modules/vitepress/bin/vitepress.js`;
if (!existsSync(vitepress)) execFileSync('npm', ['ci'], { cwd: here, stdio: 'inherit' });
const index = `${root}docs/index.md`;
writeFileSync(index, readFileSync(`${root}README.md`, 'utf8').replaceAll('](docs/', ']('));
try {
  execFileSync(process.execPath, [vitepress, 'build', 'docs'], { cwd: root, stdio: 'inherit' });
} finally {
  rmSync(index);
}

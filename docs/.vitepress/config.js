// The site of the docs: `npm run docs:site` builds it. The menu is the list of docs/README.md.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { checkLinks } from './check-links.js';

const docs = new URL('..', import.meta.url);
const index = readFileSync(new URL('README.md', docs), 'utf8');

/** The headings of docs/README.md, each with its pages. */
const groups = index
  .split('\n## ')
  .slice(1)
  .map((part) => ({
    text: part.split('\n')[0],
    items: [...part.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(([, text, page = '']) => ({
      text,
      link: `/${page.replace(/README$/, '')}`,
    })),
  }));

/** The entry points, each with the page that TypeDoc makes of it. */
const { exports } = JSON.parse(readFileSync(new URL('../package.json', docs), 'utf8'));
const types = Object.entries(exports)
  .map(([entry, of]) => ({ entry, file: of.types ?? of.import?.types }))
  .filter(({ file }) => file !== undefined)
  .map(({ entry, file }) => ({
    text: entry.replace('.', 'gateway-mock'),
    link: `/reference/${file.slice('./dist/'.length, -'.d.ts'.length)}`,
  }));

/** Vue would take two braces for a template, also within code. */
const withoutTemplates = (md) => {
  for (const name of ['text', 'code_inline']) {
    const render = md.renderer.rules[name];
    md.renderer.rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
};

export default defineConfig({
  title: 'gateway-mock',
  description: 'A local mock of an HTTP/JSON gateway in front of language-model providers.',
  outDir: '../.site',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md', 'kubernetes/README.md': 'kubernetes/index.md' },
  srcExclude: ['AGENTS.md'], // for the projects of users
  cleanUrls: true,
  ignoreDeadLinks: true, // `checkLinks` below finds them, with their anchors
  // A link to a page that `rewrites` renames keeps its old name.
  transformHtml: (html) => html.replaceAll(/(href="[^"]*kubernetes\/)README/g, '$1'),
  buildEnd({ outDir }) {
    for (const file of ['dashboard.json', 'kubernetes/base', 'replicas.cfg'])
      cpSync(new URL(file, docs), join(outDir, file), { recursive: true });
    checkLinks(outDir);
  },
  markdown: { config: withoutTemplates },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Guides come before the API reference, which has most of the words.
          searchOptions: { boostDocument: (id) => (id.startsWith('/reference/') ? 0.05 : 1) },
        },
      },
    },
    outline: [2, 3],
    sidebar: [...groups, { text: 'Types', collapsed: true, items: types }],
  },
});

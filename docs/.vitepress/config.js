// The site of the docs: `npm run docs:site` builds it. Its first page is README.md, and its menu the list there.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkLinks } from './check-links.js';

const docs = new URL('..', import.meta.url);
const readme = readFileSync(new URL('../README.md', docs), 'utf8');

/** The headings of the list in README.md, each with its pages. */
const groups = (readme.split('\n## All pages\n')[1] ?? '')
  .split('\n## ')[0]
  .split('\n### ')
  .slice(1)
  .map((part) => ({
    text: part.split('\n')[0],
    items: [...part.matchAll(/\[(.+?)\]\(docs\/(.+?)\.md\)/g)].map(([, text, page]) => ({
      text,
      link: `/${page}`,
    })),
  }));

const guides = readdirSync(new URL('contributing', docs)).map((file) => ({
  text: readFileSync(new URL(`contributing/${file}`, docs), 'utf8')
    .slice('# '.length)
    .split('\n')[0],
  link: `/contributing/${file.replace('.md', '')}`,
}));

/** Vue would take two braces for a template, also within code. */
const withoutTemplates = (md) => {
  for (const name of ['text', 'code_inline']) {
    const render = md.renderer.rules[name];
    md.renderer.rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
};

export default {
  title: 'gateway-mock',
  description: 'A local mock of an HTTP/JSON gateway in front of language-model providers.',
  outDir: '../.site',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  ignoreDeadLinks: true, // `checkLinks` below finds them, with their anchors
  buildEnd({ outDir }) {
    for (const file of ['dashboard.json', 'kubernetes/base', 'replicas.cfg'])
      cpSync(new URL(file, docs), join(outDir, file), { recursive: true });
    checkLinks(outDir);
  },
  markdown: { config: withoutTemplates },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [...groups, { text: 'For contributors', collapsed: true, items: guides }],
  },
};

// README and docs: short where it is promised, and without a dead link.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages, read } from '../support/printed-blocks.ts';
import { root } from '../support/root.ts';

/** The pages for contributors. */
const guides = readdirSync(join(root, 'docs/contributing')).map((file) => `docs/contributing/${file}`);

/** What stands beside the code. */
const folderPages = [
  'src/core/operations',
  'src/core/faults',
  'src/service/control',
  'src/control-room',
  'test/support',
].map((folder) => `${folder}/README.md`);

const all = [
  ...pages,
  'AGENTS.md',
  'llms.txt',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...guides,
  ...folderPages,
];

const withoutCode = (text: string): string => text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** As the site does. Where both differ, as for `node:test`, the heading needs other words before it can be linked. */
const siteAnchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const anchorsOf = (file: string): string[] =>
  [
    ...read(file)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ]
    .map(([, heading = '']) => heading)
    .filter((heading) => anchorOf(heading) === siteAnchorOf(heading))
    .map(anchorOf);

interface Link {
  readonly from: string;
  readonly to: string;
}

const links: readonly Link[] = all.flatMap((from) =>
  [...withoutCode(read(from)).matchAll(/\]\(([^)]+)\)/g)]
    .map(([, to = '']) => ({ from, to }))
    .filter(({ to }) => !/^https?:/.test(to)),
);

/** The file that a link leads to, from the root. */
const targetOf = ({ from, to }: Link): string => {
  const [path = ''] = to.split('#');
  return path === '' ? from : normalize(join(dirname(from), path)).replaceAll('\\', '/');
};

test('the README is short and begins with the two commands, and the glossary has few terms', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
  expect(read('README.md')).toMatch(
    /^# gateway-mock\n\n```sh\nnpm ci && npm start\nnpm ci && npm test\n```\n/,
  );
  expect(read('docs/contributing/glossary.md').match(/^\| (?!term|---)/gm)?.length).toBeLessThanOrEqual(12);
});

describe('links', () => {
  test('lead to files and headings that exist', () => {
    expect(links.length).toBeGreaterThan(100);
    const dead = links.filter((link) => {
      const file = targetOf(link);
      if (!existsSync(join(root, file))) return true;
      const [, anchor] = link.to.split('#');
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('of what the package has lead to what the package has', () => {
    const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const isPacked = (file: string): boolean =>
      file === 'README.md' ||
      files.some((entry) => {
        const [folder, extension] = entry.split('*');
        if (extension === undefined) return file === entry || file.startsWith(`${entry}/`);
        return dirname(file) === dirname(entry) && file.startsWith(folder ?? '') && file.endsWith(extension);
      });
    const lost = links.filter((link) => isPacked(link.from) && !isPacked(targetOf(link)));
    expect(lost).toEqual([]);
  });

  test('of llms.txt lead to every page', () => {
    const listed = links.filter(({ from }) => from === 'llms.txt').map(targetOf);
    expect([...listed, 'README.md'].sort()).toEqual([...pages, 'AGENTS.md'].sort());
  });
});

describe('CONTRIBUTING and docs/contributing name files that exist', () => {
  const names = ['CONTRIBUTING.md', ...guides, ...folderPages.slice(0, 3)]
    .flatMap((file) => [...read(file).matchAll(/`([\w./{},-]+)`/g)])
    .map(([, name = '']) => name)
    .filter((name) => !name.includes('retrieve-checkpoint')); // the operation that it adds as an example

  test('by their paths', () => {
    const top = new Set(readdirSync(root));
    const paths = names
      .filter((name) => name.includes('/') && top.has(name.split('/')[0] ?? '') && !name.startsWith('dist/'))
      .flatMap((name) => {
        const [, start = '', list, end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
        return list === undefined ? [name] : list.split(',').map((part) => start + part + end);
      })
      .map((path) => path.replace(/NAME.*/, '')); // which stands for any
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('by their names alone', () => {
    const below = ['src', 'test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }),
    );
    const files = new Set([...readdirSync(root), ...below].map((file) => basename(file)));
    const alone = names.filter((name) => /^[\w-]+\.(?:ts|js|txt|json|yaml|md)$/.test(name));
    expect(alone.length).toBeGreaterThan(5);
    expect(alone.filter((name) => !files.has(name))).toEqual([]);
  });
});

// llms.txt, and the AGENTS.md for the projects of users: both are made of README.md and docs/.
import { readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);

/** @param {string} file */
const read = (file) => readFileSync(new URL(file, root), 'utf8');

/** Where the docs are in a project that has the package. */
const installed = 'node_modules/gateway-mock/docs/';

/** The pages of which AGENTS.md has the first example. */
const examples = ['faults', 'clock', 'records', 'requests', 'quotas', 'scenarios', 'sessions'];

/** @param {string} text @param {string} folder */
const linkTo = (text, folder) => text.replace(/\]\((?!https?:|#)/g, `](${folder}`);

/** @param {string} page */
const titleOf = (page) => /^# (.*)$/m.exec(page)?.[1] ?? '';

/**
 * The part of a page below a heading, without the heading.
 *
 * @param {string} page
 * @param {string} heading
 */
const partOf = (page, heading) => {
  const [, part] = page.split(`\n${heading}\n`);
  if (part === undefined) throw new Error(`Failed to find the heading "${heading}".`);
  return part.split(/\n#{1,3} /)[0]?.trim() ?? '';
};

/** @param {string} page */
const firstExample = (page) => /```js\n.*?```/s.exec(page)?.[0] ?? '';

/** The list of pages, as docs/README.md has it. */
const pages = () => read('docs/README.md').replace(/^# .*\n/, '');

/** @returns {string} */
export const toLlms = () =>
  `# gateway-mock\n\n> ${linkTo(pages().trim(), 'docs/')}\n\n## For a project that uses it\n\n- [AGENTS.md](docs/AGENTS.md): how to write tests with this mock, with an example of each part\n`;

/** @returns {string} */
export const toAgents = () => {
  const guide = read('docs/coding-agents.md');
  const [about = '', ...lists] = pages().trim().split('\n\n');
  const text = `# Tests with gateway-mock

${about}
This file is made from the docs of gateway-mock, which are in \`${installed}\`.

## The calls that it answers

${/<!-- operations -->\n(.*?)<!-- /s.exec(read('docs/how-it-works.md'))?.[1]?.trim()}

## A test

${firstExample(read('docs/getting-started.md'))}

## Rules

${partOf(guide, '## Rules for tests')}

${examples
  .map((name) => read(`docs/${name}.md`))
  .map((page) => `## ${titleOf(page)}\n\n${firstExample(page)}`)
  .join('\n\n')}

## All pages

${lists.filter((part) => part.startsWith('- ')).join('\n')}
`;
  return linkTo(text, installed);
};

// AGENTS.md, for the projects of users, and its index llms.txt: both are generated from README.md and docs/.
import { readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);

/** @param {string} file */
const read = (file) => readFileSync(new URL(file, root), 'utf8');

/** @param {string} page */
const firstExample = (page) => /```js\n.*?```/s.exec(page)?.[0] ?? '';

/** @param {string} heading */
const partOfReadme = (heading) => {
  const [, part] = read('README.md').split(`\n## ${heading}\n`);
  if (part === undefined) throw new Error(`README.md has no heading "${heading}".`);
  return part.split('\n## ')[0]?.trim() ?? '';
};

/** @returns {string} */
export const toLlms = () => `# gateway-mock

> A local mock of an HTTP/JSON gateway to language-model providers. [AGENTS.md](AGENTS.md) says how to write tests with it.

${partOfReadme('All pages').replaceAll(/^### /gm, '## ')}
`;

/** @returns {string} */
export const toAgents = () => `# Tests with gateway-mock

For projects that use gateway-mock, a local mock of an HTTP/JSON gateway to language-model providers: \`cp node_modules/gateway-mock/AGENTS.md .\`
The pages that it names are in \`node_modules/gateway-mock/docs/\`, listed by \`node_modules/gateway-mock/llms.txt\`.
To change gateway-mock itself, read \`CONTRIBUTING.md\` of its repository.

## The calls that it answers

${/<!-- operations -->\n(.*?)<!-- /s.exec(read('README.md'))?.[1]?.trim()}

\`calls.md\` has their parameters, replies and errors.

## A test

${firstExample(read('docs/getting-started.md'))}

## Rules

- Use the fixture of the project's runner: \`gateway-mock/vitest\` here; \`jest.md\`, \`node-test.md\`, \`playwright.md\`, \`pytest.md\` for others. It makes a mock for each test.
- Give the code under test \`gateway.baseUrl\` as its base URL. Write no port or host into a test.
- Send \`x-gateway-api-key\` and \`x-gateway-virtual-key\` with each call: \`gateway.headers\` has both.
- Check the status of each reply: an error also has \`data\`.
- Do not wait for time to pass. Move the clock: \`await gateway.clock.advance('10m')\`. Every method of \`gateway\` is asynchronous.
- Create the records that a test needs by \`gateway.records\` (\`records.md\`), or start from a scenario (\`scenarios.md\`). Do not write replies by hand.
- Test failures by \`gateway.faults.add('listBatches#2: 503')\` (\`faults.md\`). A fault that no call meets fails the test.
- Check what the client sent by \`gateway.requests.expect({ operation: 'listBatches', status: 200 })\`, and a client that reads a whole list by \`gateway.requests.walk\` (\`requests.md\`).
- A reply with the header \`x-mock-assumptions\` depends on a guess of the mock. Do not test for such details.
`;

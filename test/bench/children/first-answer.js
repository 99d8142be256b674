// first-answer.js FOLDER: imports the entry point for Node, makes a gateway, and prints what its first answer is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2] ?? '';
/** @param {string} file */
const urlOf = (file) => pathToFileURL(join(folder, file)).href;

await import(urlOf('node.js'));
/** @type {typeof import('../../../src/index.ts')} */
const { createGateway } = await import(urlOf('index.js'));

const headers = { 'x-gateway-api-key': 'bench', 'x-gateway-virtual-key': 'bench' };
const request = new Request('http://gateway.test/v1/threads/thread_demo/runs', { headers });

// The handlers are asked by themselves: to import `getResponse` from MSW would be a cost of the benchmark's own.
const answer = async () => {
  for (const handler of createGateway().handlers) {
    const result = await handler.run({ request, requestId: 'bench' });
    if (result?.response) return result.response.json();
  }
  throw new Error('No handler answers.');
};
console.log((await answer()).data.length);

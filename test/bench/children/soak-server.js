// soak-server.js FOLDER SCENARIO: serves a watched scenario file. It prints its URL, then for each line of input how much
// memory it holds after a collection and how many descriptors it has open. It stops when its input ends.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [folder = '', scenario = ''] = process.argv.slice(2);
/** @type {typeof import('../../../src/server.ts')} */
const { startServer } = await import(pathToFileURL(join(folder, 'server.js')).href);
const { url, close } = await startServer({ scenario, watch: true });
console.log(url);

const countDescriptors = () => {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0; // not on Linux
  }
};

for await (const _ of createInterface({ input: process.stdin })) {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await setTimeout(50); // what is finalized goes with the next collection
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  console.log(JSON.stringify({ held: heapUsed + external, rss, descriptors: countDescriptors() }));
}
await close();

// serve.js NAMES FOLDER: starts contenders, prints where they serve and as which process, and ends with whoever started it.
import { contenders } from '../contenders.js';

const [, , names = '', folder = ''] = process.argv;
process.stdin.on('end', () => process.exit()).resume();

const urls = [];
for (const name of names.split(',')) {
  const serve = contenders[name];
  if (serve === undefined)
    throw new Error(`There is no contender "${name}": ${Object.keys(contenders).join(', ')}.`);
  urls.push(await serve(folder));
}
console.log(JSON.stringify({ urls, pid: process.pid }));

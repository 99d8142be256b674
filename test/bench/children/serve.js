// serve.js NAME FOLDER: starts a contender, prints where it serves and as which process, and ends with whoever started it.
import { contenders } from '../contenders.js';

const [, , name = '', folder = ''] = process.argv;
process.stdin.on('end', () => process.exit()).resume();

const serve = contenders[name];
if (serve === undefined)
  throw new Error(`There is no contender "${name}": ${Object.keys(contenders).join(', ')}.`);
console.log(JSON.stringify({ url: await serve(folder), pid: process.pid }));

// bare.js FOLDER: no more than Node's own server, for the time until its first answer.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const bytes = readFileSync(`${process.argv[2]}/bench-first-page.json`);
process.stdin.on('end', () => process.exit()).resume();
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});

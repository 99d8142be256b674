// The DNS of a cluster, for a proxy that asks it for the addresses of pods.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const typeA = 1;

/** The name that a query asks for, and where its question ends. */
const readQuestion = (query: Buffer) => {
  const labels = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

/** Answers one query: with the address, with none of that type, or that there is no such name. */
const answer = (query: Buffer, addresses: ReadonlyMap<string, string>): Buffer => {
  const { name, type, end } = readQuestion(query);
  const address = addresses.get(name);
  const isFound = address !== undefined && type === typeA;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(address === undefined ? 0x8583 : 0x8580, 2); // authoritative; 3: no such name
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isFound ? 1 : 0, 6);
  const record = Buffer.from([
    0xc0,
    12,
    0,
    typeA,
    0,
    1,
    0,
    0,
    0,
    5,
    0,
    4,
    ...(address ?? '').split('.').map(Number),
  ]);
  return Buffer.concat([head, query.subarray(12, end), ...(isFound ? [record] : [])]);
};

/** Serves these names, which may change, until the test ends. Returns the address to ask at. */
export const serveNames = async (addresses: ReadonlyMap<string, string>): Promise<string> => {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => socket.send(answer(query, addresses), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
};

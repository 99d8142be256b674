import type { ServerResponse } from 'node:http';
import { toErrorBody } from '../protocol/errors.ts';

/** How much the large replies of this process may take that their clients have not read yet, in bytes. */
export const maxReplyRoom = 128_000_000;

/** Smaller replies are not counted: a connection has one at a time, and they must cost nothing. */
export const smallReply = 64_000;

/** How long a client may read nothing of a large reply, in milliseconds. It takes up to twice as long until Node notices. */
export const longestPause = 60_000;

/** The size of all large replies under way. */
let held = 0;

/**
 * Takes room for a reply until it has been sent or its client has disconnected.
 *
 * @param onceClosed calls back once when that is so
 * @returns false if there is no room
 */
export const takeReplyRoom = (
  response: ServerResponse,
  size: number,
  onceClosed: (response: ServerResponse, done: () => void) => void,
): boolean => {
  if (size <= smallReply) return true;
  if (held + size > maxReplyRoom) return false;
  held += size;
  onceClosed(response, () => {
    held -= size;
  });
  return true;
};

/** Answers 503 in place of a reply for which there is no room. @param headers those of the reply, which browsers need */
export const refuseReply = (response: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  const message = `Too many large replies are under way that their clients have not read: at most ${maxReplyRoom} bytes together. Send the request again later.`;
  const body = JSON.stringify(toErrorBody({ status: 503, message }));
  const own = { 'content-type': 'application/json', 'cache-control': 'no-store', 'retry-after': '1' };
  response.writeHead(503, { ...headers, ...own, 'content-length': Buffer.byteLength(body) });
  response.end(body);
};

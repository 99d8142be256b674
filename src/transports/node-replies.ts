import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A longer text is sent as bytes, which are outside the heap: until it is sent, it may fill the heap. In characters. */
const longText = 100_000;

/** Sends a body at once. Returns how many bytes it has. */
export const sendWhole = (
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  given: string | Uint8Array | null,
  method = 'GET',
): number => {
  if (given === null) {
    response.writeHead(status, headers).end();
    return 0;
  }
  const body = typeof given === 'string' && given.length > longText ? Buffer.from(given) : given;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  // Object.assign, since a spread takes three times as long here (1 µs of the 50 for a page).
  response.writeHead(status, Object.assign({ 'content-length': length }, headers));
  if (method === 'HEAD') {
    response.end();
    return 0;
  }
  response.end(body);
  return length;
};

// The body of a request of Node's HTTP server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { BodyBytes, bytesOfParsed, noBody } from './body-bytes.ts';
import { catchBugs } from './safety-net.ts';

/** A request whose body Express or another app may have read already. */
type MaybeParsed = IncomingMessage & { readonly body?: unknown };

/** How much of a too-large body is read and dropped, in bytes, so that the client can read the refusal. */
const maxDropped = 10 * limits.body;

/** The requests whose body the client will not send, since it is too large: they asked first (`checkContinue` in `web-server.ts`). */
export const unsentBodies = new WeakSet<IncomingMessage>();

/** Reads the body of a request, up to the limit, and continues with it within the safety net. */
export const readBody = (
  request: MaybeParsed,
  response: ServerResponse,
  take: (body: Call['body']) => void,
): void => {
  const done = (read: () => Call['body']): void => catchBugs(response, () => take(read()));
  if (!hasBody(request)) {
    done(() => noBody);
    return;
  }
  if (unsentBodies.has(request)) {
    response.shouldKeepAlive = false; // the client may send the body after all
    done(() => 'too-large');
    return;
  }
  if (request.readableEnded) {
    done(() => bytesOfParsed(request.body));
    return;
  }
  const body = new BodyBytes();
  request.on('data', (chunk: Buffer) => {
    body.add(chunk);
    if (body.size > maxDropped) request.destroy();
  });
  request.on('end', () => done(() => body.end()));
  request.on('error', () => {}); // the client has disconnected
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

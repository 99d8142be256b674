import { HttpResponse, http, type RequestHandler } from 'msw';
import { maxBodySize, type RawCall, type Reply } from '../protocol/call.ts';
import type { Answer } from './answer.ts';
import type { Locate } from './base-url.ts';

/**
 * The MSW handler set. It is one handler with a pattern that takes any request and a router of our own behind it,
 * since MSW's patterns ignore letter case and a trailing slash, and throw on a broken percent-encoding.
 */
export const createHandlers = (answer: Answer, locate: Locate): RequestHandler[] => [
  http.all(/.*/, async ({ request }) => {
    const url = new URL(request.url);
    const path = locate(url, request.method);
    if (path === undefined) return undefined;
    const reply = answer({
      method: request.method,
      path,
      query: url.search.slice(1),
      header: (name) => request.headers.get(name) ?? undefined,
      body: await readBody(request).catch(() => 'broken' as const),
    });
    return toResponse(reply, request.method);
  }),
];

const readBody = async ({ body }: Request): Promise<RawCall['body']> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The web's stream is iterable in every runtime that MSW runs in, though not in TypeScript's DOM library.
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // MSW has cloned the body, and a branch that is left half read holds up the other: what is too much is dropped.
    if (size > maxBodySize) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > maxBodySize) return 'too-large';
  return joinChunks(chunks, size);
};

const joinChunks = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};

const toResponse = ({ status, headers, body }: Reply, method: string): HttpResponse<string> =>
  new HttpResponse(method === 'HEAD' ? null : body, {
    status,
    headers: { ...headers, ...(body !== null && { 'content-length': String(byteLength(body)) }) },
  });

const encoder = new TextEncoder();

const byteLength = (text: string): number => encoder.encode(text).byteLength;

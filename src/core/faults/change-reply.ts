import type { Reply, ReplyStream } from '../protocol/call.ts';
import { type Refusal, toErrorReply } from '../protocol/errors.ts';
import { halfOfStream } from '../protocol/partial-body.ts';
import { isBodiless, statusText } from '../protocol/status-text.ts';
import { toJsonText } from '../util/json.ts';
import type { Effect } from './effect.ts';
import { bodyKinds } from './fault-kinds.ts';

export type Headers = Reply['headers'];

/** An error reply. Its default message follows from its status. */
type ErrorParts = Omit<Refusal, 'message'> & { readonly message?: string | undefined };

/** The draft of a reply, changed by an effect that can act on it. */
export const changeReply = (effect: Effect, reply: Reply): Reply => {
  const change = changeOf(effect);
  if (change === undefined) return reply;
  if (reply.stream !== undefined) return changeStream(effect, reply, reply.stream);
  const { bytes: _, parts: _parts, ...unchanged } = reply; // they do not match a changed body
  return { ...unchanged, ...change(unchanged.headers, reply.body ?? '') };
};

/** Why an effect cannot change a reply; undefined if it can, or does not need to. */
export const whyUnchanged = (effect: Effect, { body, stream }: Reply): string | undefined => {
  const needsBody = changeOf(effect) !== undefined || ['hang-up', 'drip'].includes(effect.kind);
  if (needsBody && body === null && stream === undefined) return 'the reply has no body';
  return effect.kind === 'malformed-json' && stream !== undefined ? 'the reply is a stream' : undefined;
};

const changeStream = (effect: Effect, reply: Reply, stream: ReplyStream): Reply => {
  if (effect.kind === 'truncated-json') return { ...reply, stream: halfOfStream(stream) };
  const change = changeOf(effect)?.(reply.headers, '');
  return { ...reply, ...change, ...(change?.body !== undefined && { stream: undefined }) };
};

/** The changes of an effect to a reply that has a body; undefined if it changes nothing. */
const changeOf = (effect: Effect): ((headers: Headers, body: string) => Partial<Reply>) | undefined => {
  if (effect.kind === 'wrong-content-type')
    return (headers) => ({ headers: { ...headers, 'content-type': effect.type } });
  const kind = bodyKinds.find((bodyKind) => bodyKind === effect.kind);
  return kind && ((_, body) => ({ body: brokenBodies[kind](body) }));
};

const brokenBodies: Readonly<Record<(typeof bodyKinds)[number], (body: string) => string>> = {
  'malformed-json': (body) => `${body.slice(0, -1)},${body.slice(-1)}`,
  'truncated-json': (body) => body.slice(0, Math.floor(body.length / 2)),
  'empty-body': () => '',
};

/** Whether an effect makes the body unreadable. */
export const breaksBody = (effect: Effect): boolean => effect.kind === 'hang-up' || breaksText(effect);

/** Whether an effect replaces the text of the body. */
export const breaksText = ({ kind }: Effect): boolean => kind in brokenBodies;

/** An error in the form of the contract. */
export const faultReply = (error: ErrorParts, headers: Headers): Reply => {
  const { status, message = messages[status] ?? `The call failed with ${status}.` } = error;
  return toErrorReply({ ...error, message, headers });
};

/** @param body JSON or text */
export const plainReply = (status: number, headers: Headers, body: unknown): Reply => {
  if (body === undefined || isBodiless(status)) return { status, headers, body: null };
  const isText = typeof body === 'string';
  return {
    status,
    headers: { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json', ...headers },
    body: isText ? body : toJsonText(body),
  };
};

const messages: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'Invalid API Key',
  403: 'This API key may not do that.',
  404: 'There is no such resource.',
  408: 'The request took too long to arrive.',
  409: 'Another request changed the resource. Please try again.',
  413: 'The request is too large.',
  429: 'Rate limit reached. Please try again later.',
  500: 'The server had an error while processing the request.',
  502: 'The server behind the gateway gave no valid answer.',
  503: 'The service is overloaded. Please try again later.',
  504: 'The server behind the gateway gave no answer in time.',
  529: 'The service is overloaded. Please try again later.',
};

export const htmlReply = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: [
    '<html>',
    `<head><title>${status} ${statusText(status)}</title></head>`,
    '<body>',
    `<center><h1>${status} ${statusText(status)}</h1></center>`,
    '<hr><center>proxy</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n'),
});

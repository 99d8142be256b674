import type { Delivery, Reply } from '../protocol/call.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { statusText } from '../protocol/status-text.ts';
import { toJsonText } from '../util/json.ts';
import type { Effect } from './effect.ts';

/** The parts of a reply that a fault creates or changes. */
export type ReplyParts = Pick<Reply, 'status' | 'body' | 'bytes'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** The reply that an effect gives in place of the operation's. Undefined if the operation is called. */
export const answerInstead = (effect: Effect): ReplyParts | undefined => {
  if ('page' in effect) return undefined;
  switch (effect.kind) {
    case 'error': {
      const { status, message = messages[status] ?? `The call failed with ${status}.`, code, param } = effect;
      const refusal = {
        status,
        message,
        ...(code !== undefined && { code }),
        ...(param !== undefined && { param }),
      };
      return {
        status,
        headers: { 'content-type': 'application/json', ...effect.headers },
        body: JSON.stringify(toErrorBody(refusal)),
      };
    }
    case 'reply': {
      const { status, headers, body } = effect;
      if (body === undefined || bodiless.includes(status)) return { status, headers, body: null };
      const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
      return {
        status,
        headers: { 'content-type': type, ...headers },
        body: typeof body === 'string' ? body : toJsonText(body),
      };
    }
    case 'html-error':
      return {
        status: effect.status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: errorPage(effect.status),
      };
    case 'reset':
      return { status: 502, headers: {}, body: null }; // it is never sent
    case 'delay':
    case 'drip':
    case 'hang-up':
    case 'malformed-json':
    case 'truncated-json':
    case 'empty-body':
    case 'wrong-content-type':
      return undefined;
    default:
      return effect satisfies never; // the compiler asks what a new kind does
  }
};

/** The operation's own reply, after an effect has changed its bytes. */
export const changeAnswer = (effect: Effect, answer: ReplyParts): ReplyParts => {
  if ('page' in effect) return answer;
  const { bytes: _, ...whole } = answer; // they no longer match the body
  const { body } = whole;
  if (body === null) return whole;
  switch (effect.kind) {
    case 'malformed-json':
      return { ...whole, body: `${body.slice(0, -1)},${body.slice(-1)}` };
    case 'truncated-json':
      return { ...whole, body: body.slice(0, Math.floor(body.length / 2)) };
    case 'empty-body':
      return { ...whole, body: '' };
    case 'wrong-content-type':
      return { ...whole, headers: { ...whole.headers, 'content-type': effect.type } };
    case 'error':
    case 'reply':
    case 'html-error':
    case 'delay':
    case 'drip':
    case 'reset':
    case 'hang-up':
      return answer;
    default:
      return effect satisfies never;
  }
};

/** Whether an effect makes the body unreadable. */
export const breaksBody = ({ kind }: Effect): boolean =>
  ['hang-up', 'malformed-json', 'truncated-json', 'empty-body'].includes(kind);

/** How an effect delivers the reply; undefined if as usual. */
export const deliveryOf = (effect: Effect | undefined, milliseconds: number): Delivery | undefined => {
  switch (effect?.kind) {
    case 'reset':
    case 'hang-up':
      return { breaks: effect.kind };
    case 'drip':
      return { dripOver: milliseconds };
    default:
      return undefined;
  }
};

/** The statuses whose replies have no body. */
const bodiless: readonly number[] = [204, 205, 304];

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

const errorPage = (status: number): string =>
  [
    '<html>',
    `<head><title>${status} ${statusText(status)}</title></head>`,
    '<body>',
    `<center><h1>${status} ${statusText(status)}</h1></center>`,
    '<hr><center>proxy</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n');

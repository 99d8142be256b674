import type { RecordedRequest } from '../../core/journal/recorded-request.ts';
import { ControlError } from '../../core/protocol/errors.ts';
import { messageOf } from '../../core/util/message-of.ts';
import type { SettledRequest } from '../control/world-events.ts';
import { findFetch } from './find-fetch.ts';

/** An event of a session, as a server reports it. */
export type ServerEvent =
  /** The stream begins. `journal` is how many requests the journal keeps; with 0, there are no events of requests. */
  | { readonly type: 'open'; readonly journal: number }
  /** A request, without its bodies and the ids of its page. `requests.get` has them. */
  | { readonly type: 'request'; readonly request: RecordedRequest }
  /** The reply to a request was sent, cut or lost: by the request's id, with the fields that then have their values. */
  | ({ readonly type: 'settled' } & SettledRequest)
  /** A change of the world, by the method that made it, such as `clock.advance`. */
  | { readonly type: 'change'; readonly what: string }
  /** The world was created, with its id; or it ended. */
  | {
      readonly type: 'world';
      readonly what: 'made' | 'deleted' | 'reloaded' | 'removed';
      readonly world?: string | undefined;
    };

/** The server sends something every 15 seconds. If it is silent for this long, in milliseconds, it counts as stopped. */
const maxSilence = 40_000;

/** Yields the events of a stream until the server ends it. */
export async function* followEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  stop?: AbortSignal,
  performFetch = findFetch(url),
): AsyncGenerator<ServerEvent, void> {
  const silence = new AbortController();
  const within = async <Value>(reply: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(() => silence.abort(new Error('it is silent')), maxSilence);
    return reply.finally(() => clearTimeout(timer));
  };
  // A browser's own reader of such streams cannot send a token.
  const signal = stop === undefined ? silence.signal : AbortSignal.any([stop, silence.signal]);
  const response = await within(performFetch(url, { headers, signal })).catch((error: unknown) => {
    throw new Error(`Failed to reach ${url}: ${messageOf(error)}. Is the server running?`, { cause: error });
  });
  if (!response.ok || response.body === null)
    throw new ControlError(response.status, `Failed to follow ${url}: it answered ${response.status}.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  try {
    for (let part = await within(reader.read()); !part.done; part = await within(reader.read())) {
      const texts = (left + part.value).split('\n\n');
      left = texts.pop() ?? '';
      for (const text of texts) yield* readEvent(text);
    }
  } finally {
    silence.abort(); // closes the connection if the caller leaves the loop
  }
}

/** Returns no event for a comment. */
const readEvent = (text: string): ServerEvent[] => {
  const [, type, json = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
  if (type === undefined) return [];
  const data = JSON.parse(json);
  return [type === 'request' ? { type, request: data } : { ...data, type }];
};

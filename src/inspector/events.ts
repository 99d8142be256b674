/** What arrives on the event stream of the server. */
export type News =
  /** The stream begins. Earlier changes must be requested. */
  | { readonly type: 'open'; readonly journal: number }
  | { readonly type: 'lost' | 'locked' }
  /** Events in order, as the server sent them. */
  | { readonly type: 'events'; readonly events: readonly ServerEvent[] };

export interface ServerEvent {
  readonly type: string;
  /** An event, with the name of its session. */
  readonly data: {
    readonly session?: string;
    readonly what?: string;
    readonly journal?: number;
    readonly world?: string;
  };
}

/** The server sends something every 15 seconds. One that is silent for longer is taken to have stopped. */
export const maxSilence = 40_000;

/**
 * Calls back with the events of all sessions of a server, until it requires another token.
 *
 * @param admin the URL of its admin API, with a slash at the end
 */
export const followServer = async (
  admin: string,
  token: string | undefined,
  send: (news: News) => void,
): Promise<void> => {
  let pause = 500;
  const sendEvent = (news: News): void => {
    if (news.type === 'open') pause = 500;
    send(news);
  };
  for (;;) {
    const isAllowed = await listen(admin, token, sendEvent).catch(() => true);
    send({ type: isAllowed ? 'lost' : 'locked' });
    if (!isAllowed) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 5000);
  }
};

/** Reads the stream to its end. Returns false if the server requires another token. */
const listen = async (
  admin: string,
  token: string | undefined,
  send: (news: News) => void,
): Promise<boolean> => {
  const silence = new AbortController();
  const within = <Value>(answer: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(() => silence.abort(), maxSilence);
    return answer.finally(() => clearTimeout(timer));
  };
  // `EventSource` cannot send a token.
  const response = await within(
    fetch(`${admin}events?sessions=all`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: silence.signal,
    }),
  );
  if (response.status === 401) return false;
  if (!response.ok || response.body === null) return true;
  let left = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await within(reader.read()); !part.done; part = await within(reader.read())) {
    const texts = (left + part.value).split('\n\n');
    left = texts.pop() ?? '';
    const events = texts.flatMap(readEvent);
    const journal = events.find(({ type }) => type === 'open')?.data.journal;
    if (journal !== undefined) send({ type: 'open', journal });
    if (events.length > 0) send({ type: 'events', events });
  }
  return true;
};

/** Undefined for a comment. */
const readEvent = (text: string): ServerEvent[] => {
  const [, type, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
  return type === undefined || data === undefined ? [] : [{ type, data: JSON.parse(data) }];
};

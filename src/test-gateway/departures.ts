// Finds requests that MSW does not intercept: Node and undici publish each request that their HTTP clients begin.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A request that was begun: `GET https://example.com/path`, without the query, which may contain a credential. */
export interface Departure {
  readonly text: string;
  /** The host of its URL. */
  readonly hostname: string;
}

/** Describes a request without its port, which Node does not publish for requests of `http`; undefined if its URL is invalid. */
export const toDeparture = (method: string, url: string): Departure | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, pathname } = new URL(url);
  return { text: `${method.toUpperCase()} ${protocol}//${hostname}${pathname}`, hostname };
};

/** Calls back with each request that is begun; it cannot stop them. Returns a function that ends this. */
export const watchDepartures = (onDeparture: (departure: Departure) => void): (() => void) => {
  const report = (method: unknown, url: string): void => {
    const departure = toDeparture(String(method), url);
    if (departure !== undefined) onDeparture(departure);
  };
  const channels = {
    /** Published by undici and Node's fetch. */
    'undici:request:create': (message: unknown): void => {
      const { method, origin, path } = Object(Object(message).request);
      report(method, `${origin}${path}`);
    },
    /** Published by Node's http and https, however they are imported. The host of an IPv6 address lacks its brackets. */
    'http.client.request.start': (message: unknown): void => {
      const { method, protocol, host, path } = Object(Object(message).request);
      report(method, `${protocol}//${String(host).replace(/^[^[].*:.*$/, '[$&]')}${path}`);
    },
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  };
};

/** The requests of one test: how many of each were begun, less how many of these MSW saw. */
export type Departures = Map<string, number>;

export const countDeparture = (departures: Departures, { text }: Departure, by: 1 | -1): void => {
  departures.set(text, (departures.get(text) ?? 0) + by);
};

/** The requests that MSW did not see, although they were begun. */
export const findUnseen = (departures: Departures): string[] =>
  [...departures].flatMap(([text, count]) => Array<string>(Math.max(0, count)).fill(text));

// Finds requests that MSW does not intercept: Node and undici publish each request that their HTTP clients begin.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A request that was begun. */
export interface Departure {
  /** `GET https://example.com/path`, without the query, which may contain a credential. */
  readonly text: string;
  /** The host of its URL. */
  readonly hostname: string;
}

/** Describes a request; undefined if its URL is invalid. */
export const toDeparture = (method: string, url: string): Departure | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { origin, hostname, pathname } = new URL(url);
  return { text: `${method.toUpperCase()} ${origin}${pathname}`, hostname };
};

/** Calls back with each request that is begun; it cannot stop them. Returns a function that ends this. */
export const watchDepartures = (onDeparture: (departure: Departure) => void): (() => void) => {
  const report = (departure: Departure | undefined): void => {
    if (departure !== undefined) onDeparture(departure);
  };
  const channels = {
    /** Published by undici and Node's fetch. */
    'undici:request:create': (message: unknown): void => {
      const { method, origin, path } = Object(Object(message).request);
      report(toDeparture(String(method), `${origin}${path}`));
    },
    /** Published by Node's http and https, however they are imported. */
    'http.client.request.start': (message: unknown): void => {
      const { method, protocol, host, path } = Object(Object(message).request);
      report(toDeparture(String(method), `${protocol}//${toAuthority(String(host))}${path}`));
    },
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  };
};

/** Adds the brackets of an IPv6 address, which the host option of a request lacks. */
const toAuthority = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

/** The requests of one test that MSW did not see, although they were begun. */
export class Departures {
  readonly #begun: Departure[] = [];
  readonly #seen = new Map<string, number>();

  begin(departure: Departure): void {
    this.#begun.push(departure);
  }

  see(departure: Departure): void {
    const key = keyOf(departure);
    this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
  }

  unseen(): string[] {
    const seen = new Map(this.#seen);
    return this.#begun.flatMap((departure) => {
      const key = keyOf(departure);
      const left = seen.get(key) ?? 0;
      seen.set(key, left - 1);
      return left > 0 ? [] : [departure.text];
    });
  }
}

/** Without the port, which Node does not publish for requests of `http`. */
const keyOf = ({ text }: Departure): string => text.replace(/^(\S+ \w+:\/\/(?:\[[^\]]*\]|[^/:]*)):\d+/, '$1');

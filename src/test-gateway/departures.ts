// What leaves the process past MSW: Node tells of each request that its HTTP clients begin, and undici of its own.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** One request, as both sides know it. */
export interface Departure {
  /** `GET https://example.com/path`, without the query, which may hold a credential. */
  readonly text: string;
  readonly hostname: string;
}

/** What is told of a request; undefined where that cannot be read. */
export const toDeparture = (method: string, url: string): Departure | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { origin, hostname, pathname } = new URL(url);
  return { text: `${method.toUpperCase()} ${origin}${pathname}`, hostname };
};

/** Calls back with each request that is begun, until it is ended: they cannot be stopped from here. */
export const watchDepartures = (onDeparture: (departure: Departure) => void): (() => void) => {
  const tell = (departure: Departure | undefined): void => {
    if (departure !== undefined) onDeparture(departure);
  };
  const channels = {
    /** Of undici and Node's own fetch. */
    'undici:request:create': (message: unknown): void => {
      const { method, origin, path } = Object(Object(message).request);
      tell(toDeparture(String(method), `${origin}${path}`));
    },
    /** Of Node's http and https, however they were imported. */
    'http.client.request.start': (message: unknown): void => {
      const { method, protocol, host, path } = Object(Object(message).request);
      tell(toDeparture(String(method), `${protocol}//${toAuthority(String(host))}${path}`));
    },
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  };
};

/** The host of an option, which has no brackets around an address of IPv6. */
const toAuthority = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

/** The requests of one test that left past MSW: those that Node told of, but for those that came to MSW. */
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

/** Without the port, which Node does not tell of requests by `http`. */
const keyOf = ({ text }: Departure): string => text.replace(/^(\S+ \w+:\/\/(?:\[[^\]]*\]|[^/:]*)):\d+/, '$1');

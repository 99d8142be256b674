import { suggest } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';

/** What a stream of events is to tell. */
export interface EventsQuery {
  /** Of all sessions, not of one. */
  readonly isForAll: boolean;
  /** Whether requests come with their bodies. */
  readonly bodies: boolean;
}

const values: Readonly<Record<string, readonly string[]>> = {
  sessions: ['all'],
  bodies: ['true', 'false'],
};

/** @throws Error where it has an unknown parameter or value: the stream would not be the one that was asked for */
export const readEventsQuery = (query: string): EventsQuery => {
  const asked = new URLSearchParams(query);
  for (const [name, value] of asked) {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    if (known === undefined)
      throw new Error(
        `The query of /__admin/events has no "${name}".${endSentence(suggest(name, Object.keys(values)))}`,
      );
    if (asked.getAll(name).length > 1) throw new Error(`The query has ${name} twice.`);
    if (!known.includes(value))
      throw new Error(
        `In the query of /__admin/events, ${name} is ${known.join(' or ')}, but found "${value}".`,
      );
  }
  return { isForAll: asked.has('sessions'), bodies: asked.get('bodies') !== 'false' };
};

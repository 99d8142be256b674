import { suggest } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';

/** Which events a stream has. */
export interface EventsQuery {
  /** Whether it has the events of all sessions. */
  readonly isForAll: boolean;
}

const values: Readonly<Record<string, readonly string[]>> = { sessions: ['all'] };

/** @throws Error on an unknown parameter or value */
export const readEventsQuery = (query: string): EventsQuery => {
  const asked = new URLSearchParams(query);
  for (const [name, value] of asked) {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    if (known === undefined)
      throw new Error(
        `Unknown query parameter "${name}" of /__admin/events.${endSentence(suggest(name, Object.keys(values)))}`,
      );
    if (asked.getAll(name).length > 1) throw new Error(`The query parameter "${name}" is given twice.`);
    if (!known.includes(value))
      throw new Error(
        `The query parameter "${name}" of /__admin/events must be ${known.join(' or ')}, but found "${value}".`,
      );
  }
  return { isForAll: asked.has('sessions') };
};

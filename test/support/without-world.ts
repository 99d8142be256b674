// Equal worlds give equal replies, but for the headers that say which world it was: the only bytes of a reply that
// neither seed nor clock decides.
import { newWorldHeader, worldHeader } from '../../src/core/protocol/world-headers.ts';

const worldHeaders: readonly string[] = [worldHeader, newWorldHeader];

/** The headers of a reply that equal worlds answer alike. */
export const withoutWorld = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !worldHeaders.includes(name)));

import { toHex } from './hash.ts';

/**
 * Creates the id of a world: 12 lower-case hex digits. It is random, so that a lost world is never mistaken for its
 * successor. Nothing else in the mock is random.
 */
export const createWorldId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), toHex)
    .join('')
    .slice(0, 12);

/**
 * Creates the id of a world: 12 lower-case hex digits. It is random, so that a lost world is never mistaken for its
 * successor. Nothing else in the mock is random.
 */
export const createWorldId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

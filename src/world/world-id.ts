/**
 * The identity of a new world: 12 lower-case hex digits. It is random, so that a world that was lost is never taken for
 * the one that is there now: the only chance in the mock.
 */
export const createWorldId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

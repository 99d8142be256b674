/** The message of a thrown value, which need not be an error. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The code of an error of Node, such as `EMFILE`. */
export const nodeCodeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/**
 * What a client sees of an unexpected error. The messages of Node name paths of this machine, so only their code is shown. A
 * user's own code may throw any value, even an object whose `message` throws.
 */
export const clientMessageOf = (thrown: unknown): string => {
  try {
    return nodeCodeOf(thrown) ?? messageOf(thrown);
  } catch {
    return 'an error without a readable message';
  }
};

/** The message of a thrown value, which need not be an error. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The code of an error of Node, such as `EMFILE`. */
export const nodeCodeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** The message of an unexpected error for clients. The messages of Node name paths of this machine. */
export const clientMessageOf = (thrown: unknown): string => {
  const code = nodeCodeOf(thrown);
  return code === undefined
    ? messageOf(thrown)
    : `the server failed with ${code}. If this happens again, restart the server.`;
};

/** What something that was thrown says: usually an error, but anything can be thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/**
 * All limits. docs/operations.md is made from this file (`npm run docs`): the first sentence of a comment says what is counted, the
 * others what happens beyond the limit, and what changes it.
 */
export const limits = {
  /** Sessions in memory. The least recently used one is removed, and answers 410; with `--state-dir`, it is stored instead. `--max-sessions` changes it. */
  sessions: 1000,
  /** Names of removed sessions that are remembered. The oldest is forgotten: that session answers as a new one. */
  removedSessions: 100_000,
  /** Saved states of a session. */
  savedStates: 100,
  /** Changes of a session that `state.undo` can undo. The oldest is dropped, and `state.history` says how many were. */
  changes: 20,
  /** Faults of a session. */
  faults: 1000,
  /** Characters of a fault. */
  faultLength: 100_000,
  /** Groups of calls that the quotas of a session count. The least recently used group is forgotten. */
  quotaGroups: 10_000,
  /** Records of one list, and of a scenario in all, with its threads, jobs and prompts. */
  records: 250_000,
  /** Records that `records.*.list` returns. A longer list needs a `limit`. */
  listed: 10_000,
  /** Requests that the journal of a session keeps. The oldest are dropped. `--journal` changes it. */
  requests: 1000,
  /** Megabytes that all journals take, at most a quarter of the heap. The largest journal loses its oldest requests. `--journal-memory` changes it. */
  journalMemory: 256,
  /** Bytes of a body that the journal keeps. The rest is cut, with a note. */
  keptBody: 256_000,
  /** Waits (`requests.wait`) of a session at a time. Another one gets 429. */
  waits: 100,
  /** Milliseconds that a wait may take. */
  waitTimeout: 240_000,
  /** Event streams of a server at a time. Another one gets 503. */
  streams: 100,
  /** Bytes of events that a client has not read. Its stream ends. */
  unreadEvents: 4_000_000,
  /** Bytes of the body of a call. The call gets 413. */
  body: 10_000_000,
  /** Bytes of a reply that `verify` and `capture` read. A longer one counts as no reply. */
  reply: 50_000_000,
  /** Levels of nesting in JSON, and of sections in a template. The call gets 400. */
  depth: 500,
  /** Characters of the texts with tags of a prompt. */
  template: 200_000,
  /** Blanks in a row in a text with tags. */
  templateBlanks: 1000,
  /** Steps and characters of one rendering. The call gets 400. */
  rendering: 10_000_000,
  /** Characters of a scenario file. */
  file: 20_000_000,
  /** Characters of a YAML file over HTTP, since the parser takes long. The call gets 413: use JSON or `--scenarios`. */
  yaml: 250_000,
  /** Validation errors of a scenario that are listed. The last entry says that there are more. */
  errors: 100,
};

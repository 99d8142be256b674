// The words that a fault line may contain. The parser and the control room's form use it; it imports nothing, so that the
// control room stays small.

/** The conditions that may follow the operation, besides `query.NAME` and `header.NAME`. */
export const conditionNames = ['share', 'every', 'times', 'until', 'for', 'path'] as const;

/** The kinds that break the body. */
export const bodyKinds = ['malformed-json', 'truncated-json', 'empty-body'] as const;

/** The kinds that change a page of a list. */
export const pageKinds = [
  'cursor-loop',
  'empty-page',
  'repeat-record',
  'vanish-record',
  'insert-records',
  'clamp-limit',
  'expire-cursor',
] as const;

/** All kinds except error statuses, which are written as a number. */
export const effectKinds = [
  'reply',
  'html-error',
  'delay',
  'drip',
  'wrong-content-type',
  'reset',
  'hang-up',
  ...bodyKinds,
  ...pageKinds,
] as const;

/** The kinds that take a word, such as a status or a time, each with its default; empty if the word is required. */
export const usualWords: Readonly<Record<string, string>> = {
  reply: '200',
  'html-error': '502',
  delay: '',
  drip: '',
  'wrong-content-type': 'text/plain',
  'insert-records': '3',
  'clamp-limit': '5',
};

/** The options of the kinds that have any, besides `header.NAME`. */
export const optionNames = {
  error: ['message', 'code', 'param', 'retry-after'],
  reply: ['body'],
} as const;

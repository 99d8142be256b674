import { toJsonText } from '../util/json.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration } from '../world/clock.ts';
import { quoteValue, type Token } from './tokens.ts';

/** What happens to a call. Times are real, in milliseconds. */
export type Effect =
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message?: string | undefined;
      readonly code?: string | undefined;
      readonly param?: string | undefined;
      readonly headers: Headers;
    }
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Headers;
      readonly body?: unknown;
      /** The name of a response in `fixtures/responses/`, until it is put in. */
      readonly fixture?: string | undefined;
    }
  | { readonly kind: 'html-error'; readonly status: number }
  | { readonly kind: 'delay' | 'drip'; readonly from: number; readonly to: number }
  | { readonly kind: 'wrong-content-type'; readonly type: string }
  | { readonly kind: SimpleKind }
  | PageEffect;

/** What happens to a page of a list. */
export interface PageEffect {
  readonly kind: (typeof pageKinds)[number];
  readonly page: true;
  /** How many, for the kinds that count something. */
  readonly count: number;
}

type Headers = Readonly<Record<string, string>>;
type SimpleKind = (typeof simpleKinds)[number];

const simpleKinds = ['reset', 'hang-up', 'malformed-json', 'truncated-json', 'empty-body'] as const;

const pageKinds = [
  'cursor-loop',
  'empty-page',
  'repeat-record',
  'vanish-record',
  'insert-records',
  'clamp-limit',
  'expire-cursor',
] as const;

/** The page kinds that count something, and how many that is where it is not said. */
const countsOf: Readonly<Record<string, number>> = { 'insert-records': 3, 'clamp-limit': 5 };

/** Every kind but the error statuses, which are written as a number. */
export const effectKinds = [
  'reply',
  'html-error',
  'delay',
  'drip',
  'wrong-content-type',
  ...simpleKinds,
  ...pageKinds,
] as const;

/** The longest that a fault keeps a client waiting, in seconds: real clients give up before. */
const maxSeconds = 600;

/** Reads what stands behind the colon. @throws Error that says what is wrong, and what is right */
export const parseEffect = ({ text: kind }: Token, tokens: readonly Token[]): Effect => {
  // A content type may have parameters, which look like options.
  if (kind === 'wrong-content-type') {
    const type = tokens.map(({ text }) => text).join(' ');
    return { kind, type: headerText(kind, type === '' ? 'text/plain' : type) };
  }
  const words = tokens.filter(({ value }) => value === undefined).map(({ text }) => text);
  const options = tokens.filter(({ value }) => value !== undefined);
  const [word, ...more] = words;
  if (more.length > 0) throw new Error(`"${more[0]}" is one word too many`);
  const takeNone = (): void => {
    if (word !== undefined) throw new Error(`${kind} takes no "${word}"`);
  };

  if (/^\d+$/.test(kind)) {
    takeNone();
    const status = readStatus(kind, 400, 'an error has a status from 400 to 599; for another: reply');
    const { headers, ...rest } = readOptions(kind, options, ['message', 'code', 'param', 'retry-after']);
    const { 'retry-after': asHeader, ...others } = headers;
    const wait = rest['retry-after'] ?? asHeader ?? (status === 429 ? '1' : undefined);
    return {
      kind: 'error',
      status,
      message: toText(rest.message),
      code: toText(rest.code),
      param: toText(rest.param),
      headers: { ...others, ...(wait !== undefined && { 'retry-after': headerText('retry-after', wait) }) },
    };
  }
  if (kind === 'reply') {
    const status = readStatus(word ?? '200', 200, 'a reply has a status from 200 to 599');
    const { headers, body, fixture } = readOptions(kind, options, ['body', 'fixture']);
    if (body !== undefined && fixture !== undefined)
      throw new Error('reply takes a body or a fixture, not both');
    return { kind, status, headers, body, fixture: toText(fixture) };
  }
  const [option] = options;
  if (!(effectKinds as readonly string[]).includes(kind))
    throw new Error(
      `there is no fault "${kind}".${didYouMean(kind, effectKinds)} There are: an error status such as 503, ${effectKinds.join(', ')}`,
    );
  if (option !== undefined) throw new Error(`${kind} takes no "${option.text}"`);
  if (kind === 'html-error')
    return { kind, status: readStatus(word ?? '502', 400, 'an error page has a status from 400 to 599') };
  if (kind === 'delay' || kind === 'drip') return { kind, ...readSpan(kind, word) };
  const page = pageKinds.find((name) => name === kind);
  const simple = simpleKinds.find((name) => name === kind);
  if (page === undefined || countsOf[page] === undefined) takeNone();
  if (page !== undefined) return { kind: page, page: true, count: readCount(page, word) };
  return { kind: simple as SimpleKind }; // it is one of the names, and none of the others
};

/** An effect as {@link parseEffect} reads it again. */
export const effectText = (effect: Effect): string => {
  switch (effect.kind) {
    case 'error': {
      const { status, message, code, param, headers } = effect;
      const options = optionTexts({ message, code, param });
      return [status, ...options, ...headerTexts(headers, status === 429 ? { 'retry-after': '1' } : {})].join(
        ' ',
      );
    }
    case 'reply': {
      const { status, headers, body, fixture } = effect;
      const named = Object.entries(headers).map(([name, value]) => `header.${name}=${quoteValue(value)}`);
      return ['reply', status, ...named, ...optionTexts({ body, fixture })].join(' ');
    }
    case 'html-error':
      return effect.status === 502 ? effect.kind : `${effect.kind} ${effect.status}`;
    case 'delay':
    case 'drip': {
      const { kind, from, to } = effect;
      return `${kind} ${from === to ? spell(from) : `${spell(from)}..${spell(to)}`}`;
    }
    case 'wrong-content-type':
      return effect.type === 'text/plain' ? effect.kind : `${effect.kind} ${effect.type}`;
    default: {
      const usual = countsOf[effect.kind];
      return 'count' in effect && usual !== undefined && effect.count !== usual
        ? `${effect.kind} ${effect.count}`
        : effect.kind;
    }
  }
};

const spell = (milliseconds: number): string =>
  milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;

const optionTexts = (options: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoteValue(value)}`],
  );

const headerTexts = (headers: Headers, usual: Headers): string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (usual[name] === value) return [];
    return [`${name === 'retry-after' ? name : `header.${name}`}=${quoteValue(value)}`];
  });

/** The options by their names; those of the form `header.NAME` apart. */
const readOptions = (
  kind: string,
  options: readonly Token[],
  names: readonly string[],
): { headers: Record<string, string>; [name: string]: unknown } => {
  const found: { headers: Record<string, string>; [name: string]: unknown } = { headers: {} };
  for (const { name, value, text } of options) {
    if (name.startsWith('header.')) {
      const header = name.slice('header.'.length).toLowerCase();
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(header) || framing.includes(header))
        throw new Error(`"${header}" is no header that a fault may set`);
      found.headers[header] = headerText(name, value);
    } else if (!names.includes(name)) {
      const known = [...names, 'header.NAME'];
      throw new Error(
        `${kind} takes no "${text.slice(0, 80)}".${didYouMean(name, known, '"…=…"')} There are: ${known.join(', ')}`,
      );
    } else found[name] = value;
  }
  return found;
};

/** The headers that say how the bytes are framed: the server's own. */
const framing = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];

const toText = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : toJsonText(value);

/** What may stand in a header, and comes out alike on every face. */
const headerText = (name: string, value: unknown): string => {
  const text = toText(value) ?? '';
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
    throw new Error(`${name} takes printable ASCII, without blanks at its ends`);
  return text;
};

const readStatus = (text: string, from: number, rule: string): number => {
  const status = Number(text);
  if (!/^\d{3}$/.test(text) || status < from || status > 599)
    throw new Error(`"${text}" is no status: ${rule}`);
  return status;
};

const readSpan = (kind: string, text: string | undefined): { from: number; to: number } => {
  const [first, last = first, ...more] = (text ?? '').split('..');
  const rule = `${kind} takes a time such as 2s, or a range such as 500ms..2s, of at most ${maxSeconds}s`;
  if (!first || !last || more.length > 0) throw new Error(rule);
  const [from, to] = [toDuration(first), toDuration(last)];
  if (from < 0 || to < from || to > maxSeconds) throw new Error(rule);
  return { from: Math.round(from * 1000), to: Math.round(to * 1000) };
};

/** A bare number is one of seconds. */
const toDuration = (text: string): number => parseDuration(/^[\d.]+$/.test(text) ? `${text}s` : text);

const readCount = (kind: string, text: string | undefined): number => {
  if (text === undefined) return countsOf[kind] ?? 0;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`${kind} takes a number from 1 to 999`);
  return Number(text);
};

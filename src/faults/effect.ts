import { toJsonText } from '../util/json.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration } from '../world/clock.ts';
import { effectKinds, optionNames, pageKinds, type simpleKinds, usualWords } from './kinds.ts';
import { quoteValue, type Token } from './tokens.ts';

/** What a fault does to a call. Times are real, in milliseconds. */
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
      /** The name of a response in `fixtures/responses/`, until its body replaces it. */
      readonly fixture?: string | undefined;
    }
  | { readonly kind: 'html-error'; readonly status: number }
  | { readonly kind: 'delay' | 'drip'; readonly from: number; readonly to: number }
  | { readonly kind: 'wrong-content-type'; readonly type: string }
  | { readonly kind: SimpleKind }
  | PageEffect;

/** What a fault does to a page of a list. */
export interface PageEffect {
  readonly kind: (typeof pageKinds)[number];
  readonly page: true;
  /** How many records, for the kinds that take a number. */
  readonly count: number;
}

type Headers = Readonly<Record<string, string>>;
type SimpleKind = (typeof simpleKinds)[number];

/** The longest delay, in seconds: real clients give up sooner. */
const maxSeconds = 600;

/** Parses the part of a line after the colon. @throws Error if it is invalid */
export const parseEffect = ({ text: kind }: Token, tokens: readonly Token[]): Effect => {
  // A content type may have parameters, which look like options.
  if (kind === 'wrong-content-type') {
    const type = tokens.map(({ text }) => text).join(' ');
    return { kind, type: headerText(kind, type || usualWords[kind]) };
  }
  const words = tokens.filter(({ value }) => value === undefined).map(({ text }) => text);
  const options = tokens.filter(({ value }) => value !== undefined);
  const [word, ...more] = words;
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"`);
  const takeNone = (): void => {
    if (word !== undefined) throw new Error(`${kind} does not take "${word}"`);
  };

  if (/^\d+$/.test(kind)) {
    takeNone();
    const status = readStatus(kind, 400, 'an error status is from 400 to 599; for other statuses use reply');
    const { headers, ...rest } = readOptions(kind, options, optionNames.error);
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
    const status = readStatus(word ?? usualWords[kind], 200, 'the status of a reply is from 200 to 599');
    const { headers, body, fixture } = readOptions(kind, options, optionNames.reply);
    if (body !== undefined && fixture !== undefined)
      throw new Error('reply takes either a body or a fixture');
    return { kind, status, headers, body, fixture: toText(fixture) };
  }
  const known = remainingKinds.find((name) => name === kind);
  if (known === undefined)
    throw new Error(
      `unknown kind "${kind}".${didYouMean(kind, effectKinds)} Use an error status such as 503, or ${effectKinds.join(', ')}`,
    );
  const [option] = options;
  if (option !== undefined) throw new Error(`${kind} does not take "${option.text}"`);
  if (usualWords[kind] === undefined) takeNone();
  switch (known) {
    case 'html-error':
      return {
        kind: known,
        status: readStatus(word ?? usualWords[kind], 400, 'the status of an error page is from 400 to 599'),
      };
    case 'delay':
    case 'drip':
      return { kind: known, ...readSpan(known, word) };
    default:
      // A new kind that is none of these does not compile.
      return isPageKind(known)
        ? { kind: known, page: true, count: readCount(known, word) }
        : { kind: known satisfies SimpleKind };
  }
};

/** The kinds that take neither options nor several words. */
const remainingKinds = effectKinds.filter((kind) => kind !== 'reply' && kind !== 'wrong-content-type');

const isPageKind = (kind: string): kind is PageEffect['kind'] =>
  (pageKinds as readonly string[]).includes(kind);

/** Writes an effect so that {@link parseEffect} can read it again. */
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
      return String(effect.status) === usualWords[effect.kind]
        ? effect.kind
        : `${effect.kind} ${effect.status}`;
    case 'delay':
    case 'drip': {
      const { kind, from, to } = effect;
      return `${kind} ${from === to ? spell(from) : `${spell(from)}..${spell(to)}`}`;
    }
    case 'wrong-content-type':
      return effect.type === usualWords[effect.kind] ? effect.kind : `${effect.kind} ${effect.type}`;
    default: {
      const usual = usualWords[effect.kind];
      return 'count' in effect && usual !== undefined && String(effect.count) !== usual
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

/** The options by name; those of the form `header.NAME` are in `headers`. */
const readOptions = (
  kind: string,
  options: readonly Token[],
  names: readonly string[],
): { headers: Record<string, string>; [name: string]: unknown } => {
  const found: { headers: Record<string, string>; [name: string]: unknown } = { headers: {} };
  for (const { name, value, text } of options) {
    if (name.startsWith('header.')) {
      const header = name.slice('header.'.length).toLowerCase();
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(header) || framing.includes(header) || header === '__proto__')
        throw new Error(`a fault cannot set the header "${header}"`);
      found.headers[header] = headerText(name, value);
    } else if (!names.includes(name)) {
      const known = [...names, 'header.NAME'];
      throw new Error(
        `${kind} does not take "${text.slice(0, 80)}".${didYouMean(name, known, '"…=…"')} It takes: ${known.join(', ')}`,
      );
    } else found[name] = value;
  }
  return found;
};

/** Headers about the framing of the message, which the server sets itself. */
const framing = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const toText = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : toJsonText(value);

/** Checks a header's value, so that it is the same on every transport. */
const headerText = (name: string, value: unknown): string => {
  const text = toText(value) ?? '';
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
    throw new Error(`${name} must be printable ASCII without spaces at its ends`);
  return text;
};

const readStatus = (text: string = '', from: number, rule: string): number => {
  const status = Number(text);
  if (!/^\d{3}$/.test(text) || status < from || status > 599)
    throw new Error(`invalid status "${text}": ${rule}`);
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

/** A number without a unit is in seconds. */
const toDuration = (text: string): number => parseDuration(/^[\d.]+$/.test(text) ? `${text}s` : text);

const readCount = (kind: string, text: string | undefined): number => {
  if (text === undefined) return Number(usualWords[kind] ?? 0);
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`${kind} takes a number from 1 to 999`);
  return Number(text);
};

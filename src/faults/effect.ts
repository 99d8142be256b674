import { toJsonText } from '../util/json.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration } from '../world/clock.ts';
import { type ErrorParts, errorReply, type Headers, htmlReply, type ReplyParts, toReply } from './answer.ts';
import { type bodyKinds, effectKinds, optionNames, pageKinds, usualWords } from './kinds.ts';
import { type Token, writeOptions } from './tokens.ts';

/** What a fault does to a call. */
export type Effect = PageEffect | CallEffect;

type CallEffect = {
  /** The kind, with its word and options in their normal form. */
  readonly text: string;
} & (
  | { readonly kind: 'error' | 'html-error' | 'reset'; readonly reply: ReplyParts }
  | {
      readonly kind: 'reply';
      readonly reply: ReplyParts;
      /** The name of a response in `fixtures/responses/`, until its body replaces it. */
      readonly fixture?: string | undefined;
    }
  | (Span & { readonly kind: 'delay' | 'drip' })
  | { readonly kind: 'wrong-content-type'; readonly type: string }
  | { readonly kind: 'hang-up' | (typeof bodyKinds)[number] }
);

/** What a fault does to a page of a list. */
export interface PageEffect {
  readonly kind: (typeof pageKinds)[number];
  readonly text: string;
  readonly page: true;
  /** How many records, for the kinds that take a number. */
  readonly count: number;
}

/** A range of real time, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The longest delay, in seconds: real clients give up sooner. */
const maxSeconds = 600;

/** Parses the part of a line after the colon. @throws Error if it is invalid */
export const parseEffect = ({ text: kind }: Token, tokens: readonly Token[]): Effect => {
  const usual = usualWords[kind];
  const withWord = (word: string): string => (word === usual ? kind : `${kind} ${word}`);
  // A content type may have parameters, which look like options.
  if (kind === 'wrong-content-type') {
    const type = headerText(kind, tokens.map(({ text }) => text).join(' ') || usual);
    return { kind, type, text: withWord(type) };
  }
  const [given, ...more] = tokens.filter(({ value }) => value === undefined).map(({ text }) => text);
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"`);
  const known = /^\d+$/.test(kind) ? 'error' : otherKinds.find((name) => name === kind);
  if (known === undefined)
    throw new Error(
      `unknown kind "${kind}".${didYouMean(kind, effectKinds)} Use an error status such as 503, or ${effectKinds.join(', ')}`,
    );
  if (given !== undefined && usual === undefined) throw new Error(`${kind} does not take "${given}"`);
  const word = given ?? usual ?? '';
  const names = known === 'error' || known === 'reply' ? optionNames[known] : undefined;
  const { headers, texts, body } = readOptions(kind, names, tokens);

  switch (known) {
    case 'error': {
      const rule = 'an error status is from 400 to 599; for other statuses use reply';
      const { message, code, param } = texts;
      return errorEffect({ status: readStatus(kind, 400, rule), message, code, param }, headers);
    }
    case 'reply': {
      const status = readStatus(word, 200, 'the status of a reply is from 200 to 599');
      if (body !== undefined && texts.fixture !== undefined)
        throw new Error('reply takes either a body or a fixture');
      return replyEffect({ status, headers, body, fixture: texts.fixture });
    }
    case 'html-error': {
      const status = readStatus(word, 400, 'the status of an error page is from 400 to 599');
      return { kind: known, reply: htmlReply(status), text: withWord(word) };
    }
    case 'reset':
      return { kind: known, reply: { status: 502, headers: {}, body: null }, text: kind }; // it is never sent
    case 'delay':
    case 'drip': {
      const { from, to } = readSpan(known, word);
      return {
        kind: known,
        from,
        to,
        text: withWord(from === to ? spell(from) : `${spell(from)}..${spell(to)}`),
      };
    }
    default: {
      // A new kind that is none of these does not compile.
      if (!isPageKind(known)) return { kind: known, text: kind };
      const count = readCount(known, word);
      return { kind: known, page: true, count, text: usual === undefined ? kind : withWord(word) };
    }
  }
};

/** The kinds whose words and options are read alike. */
const otherKinds = effectKinds.filter((kind) => kind !== 'wrong-content-type');

const isPageKind = (kind: string): kind is PageEffect['kind'] =>
  (pageKinds as readonly string[]).includes(kind);

const errorEffect = (refusal: ErrorParts, headers: Headers): Effect => {
  const { status, message, code, param } = refusal;
  const usual = status === 429 ? '1' : undefined;
  const { 'retry-after': wait = usual, ...others } = headers;
  const text = [
    status,
    ...writeOptions({ message, code, param }),
    ...writeOptions(others, 'header.'),
    ...writeOptions({ 'retry-after': wait === usual ? undefined : wait }),
  ].join(' ');
  const all = wait === undefined ? others : { ...others, 'retry-after': wait };
  return { kind: 'error', reply: errorReply(refusal, all), text };
};

/** The effect of a reply that the fault has as a whole. */
export const replyEffect = ({
  status,
  headers,
  body,
  fixture,
}: Pick<ReplyParts, 'status' | 'headers'> & {
  readonly body?: unknown;
  readonly fixture?: string | undefined;
}): Effect => {
  const options = [...writeOptions(headers, 'header.'), ...writeOptions({ body, fixture })];
  return {
    kind: 'reply',
    reply: toReply(status, headers, body),
    fixture,
    text: ['reply', status, ...options].join(' '),
  };
};

const spell = (milliseconds: number): string =>
  milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;

/** The options by name. The value of `body` may be any JSON. */
const readOptions = (kind: string, names: readonly string[] | undefined, tokens: readonly Token[]) => {
  const headers: Record<string, string> = {};
  const texts: Partial<Record<string, string>> = {};
  let body: unknown;
  for (const { name, value, text } of tokens) {
    if (value === undefined) continue;
    if (names === undefined) throw new Error(`${kind} does not take "${text}"`);
    if (name.startsWith('header.')) headers[headerName(name)] = headerText(name, value);
    else if (!names.includes(name)) {
      const known = [...names, 'header.NAME'];
      throw new Error(
        `${kind} does not take "${text.slice(0, 80)}".${didYouMean(name, known, '"…=…"')} It takes: ${known.join(', ')}`,
      );
    } else if (name === 'retry-after') headers[name] = headerText(name, value);
    else if (name === 'body') body = value;
    else texts[name] = toText(value);
  }
  return { headers, texts, body };
};

const headerName = (option: string): string => {
  const name = option.slice('header.'.length).toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || framing.test(name) || name === '__proto__')
    throw new Error(`a fault cannot set the header "${name}"`);
  return name;
};

/** Headers about the framing of the message, which the server sets itself. */
const framing =
  /^(?:connection|content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

const toText = (value: unknown): string => (typeof value === 'string' ? value : toJsonText(value));

/** Checks a header's value, so that it is the same on every transport. */
const headerText = (name: string, value: unknown): string => {
  const text = toText(value);
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
    throw new Error(`${name} must be printable ASCII without spaces at its ends`);
  return text;
};

const readStatus = (text: string, from: number, rule: string): number => {
  const status = Number(text);
  if (!/^\d{3}$/.test(text) || status < from || status > 599)
    throw new Error(`invalid status "${text}": ${rule}`);
  return status;
};

const readSpan = (kind: string, text: string): Span => {
  const rule = `${kind} takes a time such as 2s, or a range such as 500ms..2s, of at most ${maxSeconds}s`;
  const [first = '', last = first, ...more] = text.split('..');
  if (first === '' || last === '' || more.length > 0) throw new Error(rule);
  const [from, to] = [toDuration(first), toDuration(last)];
  if (from < 0 || to < from || to > maxSeconds) throw new Error(rule);
  return { from: Math.round(from * 1000), to: Math.round(to * 1000) };
};

/** A number without a unit is in seconds. */
const toDuration = (text: string): number => parseDuration(/^[\d.]+$/.test(text) ? `${text}s` : text);

/** The kinds without a number have none. */
const readCount = (kind: string, text: string): number => {
  if (text !== '' && !/^[1-9]\d{0,2}$/.test(text)) throw new Error(`${kind} takes a number from 1 to 999`);
  return Number(text);
};

import type { Reply } from '../protocol/call.ts';
import { isFramingHeader, isReplyStatus } from '../protocol/reply-rules.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration } from '../world/clock.ts';
import { faultReply, type Headers, htmlReply, plainReply } from './change-reply.ts';
import {
  type bodyKinds,
  conditionNames,
  effectKinds,
  optionNames,
  pageKinds,
  usualWords,
} from './fault-kinds.ts';
import { type Token, textOf, writeOptions } from './tokens.ts';

/**
 * What a fault does to a call. It acts in one of four places: a time or a break on the delivery (`verdicts.ts`), a `reply` in place of
 * the checks of the call and its operation (`respond.ts`), a page where the operation makes it (`page-faults.ts`), anything else on the draft of the reply (`change-reply.ts`).
 */
export type Effect = PageEffect | CallEffect;

interface EffectBase<Kind> {
  readonly kind: Kind;
  /** The kind, with its word and options in their normal form. */
  readonly text: string;
}

type CallEffect =
  // The reply of `reset` is never sent: it ends the call, and the delivery resets the connection.
  | (EffectBase<'error' | 'reply' | 'html-error' | 'reset'> & { readonly reply: Reply })
  | (EffectBase<'delay' | 'drip'> & Span)
  | (EffectBase<'wrong-content-type'> & { readonly type: string })
  | EffectBase<'hang-up' | (typeof bodyKinds)[number]>;

/** What a fault does to a page of a list. */
export interface PageEffect extends EffectBase<(typeof pageKinds)[number]> {
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
export const parseEffect = ({ text: name }: Token, tokens: readonly Token[]): Effect => {
  const kind = /^\d+$/.test(name) ? 'error' : effectKinds.find((effectKind) => effectKind === name);
  if (kind === undefined)
    throw new Error(
      `unknown kind "${name}".${didYouMean(name, effectKinds)} Use an error status such as 503, or ${effectKinds.join(', ')}`,
    );
  const isType = kind === 'wrong-content-type'; // it may have parameters, which look like options
  const words = tokens.filter(({ value }) => isType || value === undefined).map(({ text }) => text);
  const usual = usualWords[kind];
  if (words.length > (usual === undefined ? 0 : 1) && !isType)
    throw new Error(
      `${name} does not take "${words.at(-1)}". A value with spaces is written in quotes, such as message="Try again"`,
    );
  const { headers, texts, body } = readOptions(name, kind, isType ? [] : tokens);
  const word = words.join(' ') || usual || '';
  const text = word === '' || word === usual ? kind : `${kind} ${word}`;

  switch (kind) {
    case 'error': {
      const rule = 'an error status is from 400 to 599; for other statuses use reply';
      return errorEffect(readStatus(name, 400, rule), headers, texts);
    }
    case 'reply': {
      const status = readStatus(word, 200, 'the status of a reply is from 200 to 599');
      const words = [kind, status, ...writeOptions(headers, 'header.'), ...writeOptions({ body })];
      return { kind, reply: plainReply(status, headers, body), text: words.join(' ') };
    }
    case 'html-error': {
      const status = readStatus(word, 400, 'the status of an error page is from 400 to 599');
      return { kind, reply: htmlReply(status), text };
    }
    case 'reset':
      return { kind, reply: { status: 502, headers: {}, body: null }, text };
    case 'delay':
    case 'drip': {
      const { from, to } = readSpan(kind, word);
      const range = from === to ? spell(from) : `${spell(from)}..${spell(to)}`;
      return { kind, from, to, text: `${kind} ${range}` };
    }
    case 'wrong-content-type':
      return { kind, type: headerText(kind, word), text };
    default:
      // A new kind without a case above does not compile.
      return isPageKind(kind) ? { kind, page: true, count: readCount(kind, word), text } : { kind, text };
  }
};

const isPageKind = (kind: string): kind is PageEffect['kind'] =>
  (pageKinds as readonly string[]).includes(kind);

const errorEffect = (status: number, headers: Headers, { message, code, param }: Texts): Effect => {
  const usual = status === 429 ? '1' : undefined;
  const { 'retry-after': wait = usual, ...others } = headers;
  const text = [
    status,
    ...writeOptions({ message, code, param }),
    ...writeOptions(others, 'header.'),
    ...writeOptions({ 'retry-after': wait === usual ? undefined : wait }),
  ].join(' ');
  const all = wait === undefined ? others : { ...others, 'retry-after': wait };
  return { kind: 'error', reply: faultReply({ status, message, code, param }, all), text };
};

const spell = (milliseconds: number): string =>
  milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;

type Texts = Readonly<Partial<Record<string, string>>>;

/** The options by name. The value of `body` may be any JSON. */
const readOptions = (name: string, kind: string, tokens: readonly Token[]) => {
  const options = new Map<string, readonly string[]>(Object.entries(optionNames)).get(kind);
  const headers: Record<string, string> = {};
  const texts: Partial<Record<string, string>> = {};
  let body: unknown;
  for (const { name: option, value, text } of tokens) {
    if (value === undefined) continue;
    if (options === undefined)
      throw new Error(`${name} does not take "${text}".${didYouMean(option, conditionNames, '"…=…"')}`);
    if (option.startsWith('header.')) headers[headerName(option)] = headerText(option, value);
    else if (!options.includes(option)) {
      const names = [...options, 'header.NAME'];
      throw new Error(
        `${name} does not take "${text.slice(0, 80)}".${didYouMean(option, [...names, ...conditionNames], '"…=…"')} It takes: ${names.join(', ')}`,
      );
    } else if (option === 'retry-after') headers[option] = headerText(option, value);
    else if (option === 'body') body = value;
    else texts[option] = textOf(value);
  }
  return { headers, texts, body };
};

const headerName = (option: string): string => {
  const name = option.slice('header.'.length).toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || isFramingHeader(name) || name === '__proto__')
    throw new Error(`a fault cannot set the header "${name}"`);
  return name;
};

/** Checks a header's value, so that it is the same on every transport. */
const headerText = (name: string, value: unknown): string => {
  const text = textOf(value);
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
    throw new Error(`${name} must be printable ASCII without spaces at its ends`);
  return text;
};

const readStatus = (text: string, from: number, rule: string): number => {
  const status = Number(text);
  if (!/^\d{3}$/.test(text) || !isReplyStatus(status, from))
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

/** Reads the number of a page fault; 0 for kinds without a number. */
const readCount = (kind: string, text: string): number => {
  if (text !== '' && !/^[1-9]\d{0,2}$/.test(text)) throw new Error(`${kind} takes a number from 1 to 999`);
  return Number(text);
};

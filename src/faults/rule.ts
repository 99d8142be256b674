import * as operations from '../operations/index.ts';
import { toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration, parseTimestamp, toDateTime } from '../world/clock.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import { isList } from '../world/operation.ts';
import { type Effect, effectText, parseEffect } from './effect.ts';
import { quoteValue, splitLine, type Token } from './tokens.ts';

/** Which calls a rule is about, and what happens to them. */
export interface Rule {
  /** The id of an operation, or `*` for any. */
  readonly operation: string;
  /** The first and the last of the calls that match, counted from 1. */
  readonly from: number;
  readonly to: number;
  /** What the query, the headers and the path of a call must be; `*` in a value stands for any text. */
  readonly query: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly path?: string | undefined;
  /** The share of the calls, from 0 to 1. */
  readonly share: number;
  /** How often it hits at the most. */
  readonly times: number;
  /** The moment of the world's clock from which it no longer hits, in seconds since 1970. */
  readonly until: number;
  /** The same as a span of seconds, until it is known when it begins. */
  readonly lasts?: number | undefined;
  readonly effect: Effect;
  /** The rule as one line, written in the one way that equal rules share. */
  readonly line: string;
}

/** What may stand behind the operation, ahead of the colon. */
const clauseNames = ['share', 'times', 'until', 'for', 'path', 'query.NAME', 'header.NAME'];

/**
 * Reads one fault: `OPERATION[#CALLS] [CLAUSE…]: KIND [OPTION…]`.
 *
 * @throws Error that says what is wrong, and what is right
 * @example
 * parseRule('listRuns#3: reset');
 * parseRule('* share=25% times=10: 503');
 */
export const parseRule = (line: string): Rule => {
  if (typeof line !== 'string')
    throw new Error('Failed to read a fault: it is no text, such as "listRuns#3: reset".');
  try {
    return readRule(line);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`Failed to read the fault "${line.slice(0, 200)}": ${reason.replace(/\.$/, '')}.`);
  }
};

/** The same rule as it stands from the moment on at which it is added, in seconds since 1970. */
export const beginRule = (rule: Rule, now: number): Rule => {
  if (rule.lasts === undefined) return rule;
  const begun = { ...rule, lasts: undefined, until: Math.min(rule.until, now + rule.lasts, lastTimestamp) };
  return { ...begun, line: toLine(begun) };
};

/** The same rule with the body of the fixture that it names. */
export const withFixture = (rule: Rule, find: (name: string) => unknown): Rule => {
  const { effect } = rule;
  if (effect.kind !== 'reply' || effect.fixture === undefined) return rule;
  const inlined = { ...rule, effect: { ...effect, fixture: undefined, body: find(effect.fixture) } };
  return { ...inlined, line: toLine(inlined) };
};

const maxLength = 100_000;

const readRule = (line: string): Rule => {
  if (line.length > maxLength) throw new Error(`it is too long: at most ${maxLength} characters are read`);
  const [[target, ...clauses], [kind, ...options]] = splitLine(line);
  if (target === undefined) throw new Error('it names no operation: put * for any');
  if (kind === undefined) throw new Error('nothing stands behind the colon: say what happens, such as reset');
  const rule = {
    ...readTarget(target),
    ...readClauses(clauses),
    effect: parseEffect(kind, options),
  };
  const { effect, operation } = rule;
  if ('page' in effect && operation !== '*' && !lists.includes(operation))
    throw new Error(`${effect.kind} is for lists: ${lists.join(', ')}, or * for all of them`);
  return { ...rule, line: toLine(rule) };
};

const lists = Object.values(operations)
  .filter(isList)
  .map(({ id }): string => id);

const operationIds = Object.values(operations).map(({ id }): string => id);

const readTarget = ({ text }: Token): Pick<Rule, 'operation' | 'from' | 'to'> => {
  const [, operation = '', calls] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  if (operation !== '*' && !operationIds.includes(operation))
    throw new Error(
      `there is no operation "${operation}".${didYouMean(operation, operationIds)} There are: ${operationIds.join(', ')}, and * for any`,
    );
  if (calls === undefined) return { operation, from: 1, to: Number.POSITIVE_INFINITY };
  const range = /^(\d{1,9})(-(\d{1,9})?)?$/.exec(calls);
  const from = Number(range?.[1]);
  const to = range?.[2] === undefined ? from : Number(range[3] ?? Number.POSITIVE_INFINITY);
  if (range === null || from < 1 || to < from)
    throw new Error(`"#${calls}" names no calls: write #3, #2-4 or #5-, counted from 1`);
  return { operation, from, to };
};

const readClauses = (clauses: readonly Token[]) => {
  const query = new Map<string, string>();
  const header = new Map<string, string>();
  const rule = {
    path: undefined as string | undefined,
    share: 1,
    times: Number.POSITIVE_INFINITY,
    until: Number.POSITIVE_INFINITY,
    lasts: undefined as number | undefined,
  };
  const seen = new Set<string>();
  for (const { name, value, text } of clauses) {
    const [head = '', ...rest] = name.split('.');
    const inner = rest.join('.');
    const known = inner === '' ? name : `${head}.NAME`;
    if (value === undefined || !clauseNames.includes(known))
      throw new Error(
        `"${text}" says nothing about calls.${didYouMean(name, clauseNames, '"…=…"')} There are: ${clauseNames.join(', ')}`,
      );
    if (seen.has(name)) throw new Error(`${name} stands twice`);
    seen.add(name);
    const given = typeof value === 'string' ? value : toJsonText(value);
    if (head === 'query') query.set(inner, given);
    else if (head === 'header') header.set(inner.toLowerCase(), given);
    else if (name === 'path') rule.path = given;
    else if (name === 'share') rule.share = readShare(given);
    else if (name === 'times') rule.times = readTimes(given);
    else if (name === 'until') rule.until = readTimestamp(given);
    else rule.lasts = readSpan(given);
  }
  return { ...rule, query: inOrder(query), header: inOrder(header) };
};

/** By name, so that equal rules have equal lines. A name may be any text: only `fromEntries` takes `__proto__` for one. */
const inOrder = (texts: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));

const readShare = (text: string): number => {
  const given = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const share = Math.round(given * 1e8) / 1e8; // what its line can say
  if (!/^\d*\.?\d+%?$/.test(text) || share > 1)
    throw new Error(`share=${text} is no share: write one from 0% to 100%, or from 0 to 1`);
  if (share === 0)
    throw new Error(`share=${text} would never act: write a share above 0%, or leave the fault out`);
  return share;
};

const readTimes = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`times=${text} is no number of times: write one from 1 on`);
  return Number(text);
};

const readTimestamp = (text: string): number => {
  const moment = parseTimestamp(text);
  // Date-times outside of these years have another form.
  if (!(moment >= 0 && moment <= lastTimestamp))
    throw new Error(`until=${text} is no moment: write one such as 2026-01-15T13:00:00Z`);
  return moment;
};

const readSpan = (text: string): number => {
  const span = parseDuration(text);
  if (!(span >= 0.001 && span <= lastTimestamp))
    throw new Error(`for=${text} is no span of time: write one such as 90s, 10m or 2d`);
  return span;
};

const toLine = (rule: Omit<Rule, 'line'>): string => {
  const { operation, from, to, share, times, until, lasts } = rule;
  const end = to === Number.POSITIVE_INFINITY ? '' : String(to);
  const calls = from === 1 && end === '' ? '' : from === to ? `#${from}` : `#${from}-${end}`;
  const clauses = [
    ...Object.entries(rule.query).map(([name, value]) => `query.${name}=${quoteValue(value)}`),
    ...Object.entries(rule.header).map(([name, value]) => `header.${name}=${quoteValue(value)}`),
    ...(rule.path === undefined ? [] : [`path=${quoteValue(rule.path)}`]),
    ...(share === 1 ? [] : [`share=${Number((share * 100).toPrecision(12))}%`]),
    ...(times === Number.POSITIVE_INFINITY ? [] : [`times=${times}`]),
    ...(until === Number.POSITIVE_INFINITY ? [] : [`until=${toDateTime(until)}`]),
    ...(lasts === undefined ? [] : [`for=${lasts}s`]),
  ];
  return `${[operation + calls, ...clauses].join(' ')}: ${effectText(rule.effect)}`;
};

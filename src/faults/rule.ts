import * as operations from '../operations/index.ts';
import { toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration, parseTimestamp, toDateTime } from '../world/clock.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import { isList } from '../world/operation.ts';
import { type Effect, effectText, parseEffect } from './effect.ts';
import { conditionNames } from './kinds.ts';
import { quoteValue, splitLine, type Token } from './tokens.ts';

/** A parsed fault: which calls it hits, and what happens to them. */
export interface Rule {
  /** The id of an operation, or `*` for any. */
  readonly operation: string;
  /** The first and last matching call to hit, counted from 1. */
  readonly from: number;
  readonly to: number;
  /** Patterns for the query, headers and path of a call; `*` stands for any text. */
  readonly query: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly path?: string | undefined;
  /** The share of calls to hit, from 0 to 1. */
  readonly share: number;
  /** The greatest number of hits. */
  readonly times: number;
  /** The time of the world's clock at which it ends, in seconds since 1970. */
  readonly until: number;
  /** Its duration in seconds, until it is known when it starts. */
  readonly lasts?: number | undefined;
  readonly effect: Effect;
  /** The rule as a line in its normal form, which equal rules share. */
  readonly line: string;
}

/** The conditions that may follow the operation, before the colon. */
const clauseNames = [...conditionNames, 'query.NAME', 'header.NAME'];

/**
 * Parses a fault: `OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…]`.
 *
 * @throws Error if the line is invalid
 * @example
 * parseRule('listRuns#3: reset');
 * parseRule('* share=25% times=10: 503');
 */
export const parseRule = (line: string): Rule => {
  if (typeof line !== 'string')
    throw new Error('Failed to read a fault: expected a string such as "listRuns#3: reset".');
  try {
    return readRule(line);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      `Failed to read the fault "${line.slice(0, 200)}": ${reason.slice(0, 1000).replace(/\.$/, '')}.`,
    );
  }
};

/** Starts a rule at a time, in seconds since 1970: its duration becomes an end. */
export const beginRule = (rule: Rule, now: number): Rule => {
  if (rule.lasts === undefined) return rule;
  const begun = { ...rule, lasts: undefined, until: Math.min(rule.until, now + rule.lasts, lastTimestamp) };
  return { ...begun, line: toLine(begun) };
};

/** Replaces the fixture that a rule names by its body. */
export const withFixture = (rule: Rule, find: (name: string) => unknown): Rule => {
  const { effect } = rule;
  if (effect.kind !== 'reply' || effect.fixture === undefined) return rule;
  const inlined = { ...rule, effect: { ...effect, fixture: undefined, body: find(effect.fixture) } };
  return { ...inlined, line: toLine(inlined) };
};

const maxLength = 100_000;

const readRule = (line: string): Rule => {
  if (line.length > maxLength) throw new Error(`it is longer than ${maxLength} characters`);
  const [[target, ...clauses], [kind, ...options]] = splitLine(line);
  if (target === undefined) throw new Error('the operation is missing: use * for any');
  if (kind === undefined) throw new Error('the kind of fault is missing after the colon, such as reset');
  const rule = {
    ...readTarget(target),
    ...readClauses(clauses),
    effect: parseEffect(kind, options),
  };
  const { effect, operation } = rule;
  if ('page' in effect && operation !== '*' && !lists.includes(operation))
    throw new Error(`${effect.kind} works only with lists: ${lists.join(', ')}, or * for all of them`);
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
      `unknown operation "${operation}".${didYouMean(operation, operationIds)} Use ${operationIds.join(', ')}, or * for any`,
    );
  if (calls === undefined) return { operation, from: 1, to: Number.POSITIVE_INFINITY };
  const range = /^(\d{1,9})(-(\d{1,9})?)?$/.exec(calls);
  const from = Number(range?.[1]);
  const to = range?.[2] === undefined ? from : Number(range[3] ?? Number.POSITIVE_INFINITY);
  if (range === null || from < 1 || to < from)
    throw new Error(`invalid calls "#${calls}": write #3, #2-4 or #5-, counted from 1`);
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
        `unknown condition "${text}".${didYouMean(name, clauseNames, '"…=…"')} Use ${clauseNames.join(', ')}${
          /^#?\d/.test(text) ? '. Write which calls directly after the operation, such as listRuns#3' : ''
        }`,
      );
    if (seen.has(name)) throw new Error(`${name} is given twice`);
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

/** Sorts by name, so that equal rules have equal lines. `fromEntries` also keeps a name such as `__proto__`. */
const inOrder = (texts: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));

const readShare = (text: string): number => {
  const given = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const share = Math.round(given * 1e8) / 1e8; // as precise as the line can be
  if (!/^(?:\d+|\d*\.\d+)%?$/.test(text) || share > 1)
    throw new Error(`invalid share=${text}: write a share from 0% to 100%, or from 0 to 1`);
  if (share === 0) throw new Error(`share=${text} would never hit a call: write a share above 0%`);
  return share;
};

const readTimes = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`invalid times=${text}: write a whole number of at least 1`);
  return Number(text);
};

const readTimestamp = (text: string): number => {
  const time = parseTimestamp(text);
  // Years outside of this range are written in another form.
  if (!(time >= 0 && time <= lastTimestamp))
    throw new Error(`invalid until=${text}: write a time such as 2026-01-15T13:00:00Z`);
  return time;
};

const readSpan = (text: string): number => {
  const span = parseDuration(text);
  if (!(span >= 0.001 && span <= lastTimestamp))
    throw new Error(`invalid for=${text}: write a duration such as 90s, 10m or 2d`);
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

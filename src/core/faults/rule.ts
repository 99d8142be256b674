import * as contractOperations from '../operations/index.ts';
import { idsOf, isContractList } from '../operations/operation.ts';
import { limits } from '../util/limits.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { parseDuration, parseTimestamp, toDateTime } from '../world/clock.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import { type Effect, parseEffect } from './effect.ts';
import { conditionNames, optionNames } from './fault-kinds.ts';
import { splitLine, type Token, textOf, writeOptions } from './tokens.ts';

/** A parsed fault: which calls it hits, and what happens to them. */
export interface Rule extends Parts {
  /** The rule as a line in its normal form, which equal rules share. */
  readonly line: string;
}

type Parts = ReturnType<typeof readTarget> & ReturnType<typeof readConditions> & { readonly effect: Effect };

/**
 * Parses a fault: `OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…]`.
 *
 * @param operations the ids that it may name. Default: any name, as in a state of another gateway, which may have other own calls
 * @throws Error if the line is invalid
 * @example
 * parseRule('listRuns#3: reset');
 * parseRule('* share=25% times=10: 503');
 */
export const parseRule = (line: string, operations?: readonly string[]): Rule => {
  try {
    return readRule(line, operations);
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
  return withLine({
    ...rule,
    lasts: undefined,
    until: Math.min(rule.until, now + rule.lasts, lastTimestamp),
  });
};

/** The number of the next matching call that a rule may hit, after `calls` of them. It may be beyond the rule's last call. */
export const nextCall = ({ from, every }: Rule, calls: number): number =>
  from - 1 + every * (Math.floor(Math.max(0, calls - from + 1) / every) + 1);

const readRule = (line: string, operations: readonly string[] | undefined): Rule => {
  if (line.length > limits.faultLength) throw new Error(`it is longer than ${limits.faultLength} characters`);
  const [[target, ...conditions], [kind, ...options]] = splitLine(line);
  if (target === undefined) throw new Error('the operation is missing: use * for any');
  if (kind === undefined) throw new Error('the kind of fault is missing after the colon, such as reset');
  refuseMisplaced(target, conditions, [kind, ...options]);
  const rule = {
    ...readTarget(target, operations),
    ...readConditions(conditions),
    effect: parseEffect(kind, options),
  };
  const { effect, operation, from, to, every, share } = rule;
  if ('page' in effect && isNoList(operation))
    throw new Error(`${effect.kind} works only with lists: ${lists.join(', ')}, or * for all of them`);
  if (every > 1 && share < 1)
    throw new Error('every and share exclude each other: one counts the calls, the other draws them');
  if (from + every - 1 > to)
    throw new Error(`every=${every} would never hit a call: #${from}-${to} has only ${to - from + 1}`);
  return withLine(rule);
};

/** Refuses conditions behind the colon and options before it, and shows the line with them where they belong. */
const refuseMisplaced = (target: Token, before: readonly Token[], after: readonly Token[]): void => {
  const isCalls = ({ text }: Token): boolean => /^#\d/.test(text);
  const isCondition = ({ name, value }: Token): boolean =>
    value !== undefined && (isIn(conditionNames, name) || name.startsWith('query.'));
  const words = after.flatMap(splitWord);
  const misplaced = words.filter((word) => isCalls(word) || isCondition(word));
  const options = before.filter(
    ({ name, value }) => value !== undefined && isIn(Object.values(optionNames).flat(), name),
  );
  if (misplaced.length === 0 && options.length === 0) return;
  const rest = [...words.filter((word) => !misplaced.includes(word)), ...options];
  const join = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');
  const conditions = [...before, ...misplaced].filter((word) => !isCalls(word) && !options.includes(word));
  const start = [target.text + join(misplaced.filter(isCalls)), join(conditions)].join(' ').trim();
  const reason =
    misplaced.length > 0 ? 'conditions belong before the colon' : 'options belong after the colon';
  throw new Error(`${reason}: write "${start}: ${join(rest) || '503'}"`);
};

/** The words of a plain word to which others stick: `503#2`, `503,` and `:`. */
const splitWord = (word: Token): Token[] => {
  if (word.value !== undefined) return [word];
  const texts = word.text.replace(/[,:]$/, '').split(/(?=#\d)/);
  return texts.flatMap((text) => (text === '' ? [] : [{ name: text, text }]));
};

const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

const contractIds = idsOf(Object.values(contractOperations));
const lists = idsOf(Object.values(contractOperations).filter(isContractList));

/** Whether an own call returns a page shows only in its reply. */
const isNoList = (operation: string): boolean => isIn(contractIds, operation) && !isIn(lists, operation);

/** Reads the operation, or `*` for any, and the first and last matching call to hit, counted from 1. */
const readTarget = ({ text }: Token, operations: readonly string[] | undefined) => {
  const [, operation = '', calls] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  if (operation !== '*' && !(operations?.includes(operation) ?? /^\w+$/.test(operation)))
    throw new Error(
      operations === undefined
        ? `invalid operation "${operation}": use the id of an operation, or * for any`
        : `unknown operation "${operation}".${didYouMean(operation, operations)} Use ${operations.join(', ')}, or * for any. A call of your own needs the option calls`,
    );
  if (calls === undefined) return { operation, from: 1, to: Number.POSITIVE_INFINITY };
  const range = /^(\d{1,9})(-(\d{1,9})?)?$/.exec(calls);
  const from = Number(range?.[1]);
  const to = range?.[2] === undefined ? from : Number(range[3] ?? Number.POSITIVE_INFINITY);
  if (range === null || from < 1 || to < from)
    throw new Error(`invalid calls "#${calls}": write #3, #2-4 or #5-, counted from 1`);
  return { operation, from, to };
};

/** The conditions that may follow the operation. */
const conditions: readonly string[] = [...conditionNames, 'query.NAME', 'header.NAME'];

const readConditions = (tokens: readonly Token[]) => {
  const conditionTexts = new Map<string, string>();
  for (const { name, value, text } of tokens) {
    const isKnown = conditions.includes(name.replace(/^(query|header)\..+/s, '$1.NAME'));
    if (value === undefined || !isKnown)
      throw new Error(
        `unknown condition "${text}".${didYouMean(name, conditions, '"…=…"')} Use ${conditions.join(', ')}${
          /^#?\d/.test(text) ? '. Write which calls directly after the operation, such as listRuns#3' : ''
        }`,
      );
    const key = name.startsWith('header.') ? name.toLowerCase() : name;
    if (conditionTexts.has(key)) throw new Error(`${name} is given twice`);
    conditionTexts.set(key, textOf(value));
  }
  const { path, share = '1', every = '1', times, until, for: span } = Object.fromEntries(conditionTexts);
  return {
    /** Patterns for the query, headers and path of a call; `*` stands for any text. */
    query: patternsIn(conditionTexts, 'query.'),
    header: patternsIn(conditionTexts, 'header.'),
    path,
    /** The share of calls to hit, from 0 to 1. */
    share: readShare(share),
    /** Of the calls in range, it hits each whose number is a multiple of this. */
    every: readCount('every', every),
    times: times === undefined ? Number.POSITIVE_INFINITY : readCount('times', times),
    /** The time of the world's clock at which it ends, in seconds since 1970. */
    until: until === undefined ? Number.POSITIVE_INFINITY : readTimestamp(until),
    /** Its duration in seconds; undefined once its end is known. */
    lasts: span === undefined ? undefined : readSpan(span),
  };
};

/** The patterns by name, in order, so that equal rules have equal lines. `fromEntries` also keeps a name such as `__proto__`. */
const patternsIn = (
  conditionTexts: ReadonlyMap<string, string>,
  prefix: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...conditionTexts]
      .filter(([name]) => name.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, pattern]) => [name.slice(prefix.length), pattern]),
  );

const readShare = (text: string): number => {
  const fraction = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const share = Math.round(fraction * 1e8) / 1e8; // as precise as the line can be
  if (!/^(?:\d+|\d*\.\d+)%?$/.test(text) || share > 1)
    throw new Error(`invalid share=${text}: write a share from 0% to 100%, or from 0 to 1`);
  if (share === 0) throw new Error(`share=${text} would never hit a call: write a share above 0%`);
  return share;
};

const readCount = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`invalid ${name}=${text}: write a whole number of at least 1`);
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

/** Adds the line, in its normal form. */
const withLine = (rule: Omit<Rule, 'line'>): Rule => {
  const { operation, from, to, query, header, path, share, every, times, until, lasts, effect } = rule;
  const end = to === Number.POSITIVE_INFINITY ? '' : String(to);
  const calls = from === 1 && end === '' ? '' : from === to ? `#${from}` : `#${from}-${end}`;
  const conditions = [
    ...writeOptions(query, 'query.'),
    ...writeOptions(header, 'header.'),
    ...writeOptions({
      path,
      share: share === 1 ? undefined : `${Number((share * 100).toPrecision(12))}%`,
      every: every === 1 ? undefined : every,
      times: times === Number.POSITIVE_INFINITY ? undefined : times,
      until: until === Number.POSITIVE_INFINITY ? undefined : toDateTime(until),
      for: lasts === undefined ? undefined : `${lasts}s`,
    }),
  ];
  return { ...rule, line: `${[operation + calls, ...conditions].join(' ')}: ${effect.text}` };
};

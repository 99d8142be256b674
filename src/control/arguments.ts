import {
  abortSignal,
  boolean,
  count,
  json,
  jsonOfAnyKeys,
  jsonOrString,
  jsonWithBigints,
  keysOf,
  listOf,
  longSegment,
  mappingOf,
  number,
  numberOf,
  oneOf,
  type Parameter,
  recordId,
  type Signatures,
  segment,
  string,
  stringOrNumber,
  text,
  whole,
  wholeOr,
} from '../protocol/arguments.ts';
import { maxSpeed } from '../world/clock-limits.ts';
import type { Control } from './control.ts';

const scenario: Parameter = { name: 'scenario', check: jsonOrString, isJson: true };
const id: Parameter = { name: 'id', check: recordId };
const session: Parameter = { name: 'name', check: segment };
const state: Parameter = { name: 'name', check: recordId, isOptional: true };
const texts = mappingOf(text);

const recordsOf = (owner?: string, check = json) => ({
  create: [{ name: 'values', check, isJson: true }],
  update: [id, { name: 'values', check, isJson: true }],
  delete: [id],
  get: [id],
  list: [
    {
      name: 'query',
      check: keysOf({
        order: oneOf('asc', 'desc'),
        limit: count,
        after: text,
        ...(owner !== undefined && { [owner]: text }),
      }),
      isOptional: true,
    },
  ],
});

/** The keys are those of `requestFilter`, which reads the filter in the world: a test holds both together. */
export const filterKeys = {
  operation: text,
  method: text,
  path: text,
  params: texts,
  query: texts,
  headers: texts,
  status: wholeOr('2xx', '4xx', '5xx'),
  faulted: boolean,
  fault: text,
  assumption: text,
  unmatched: boolean,
};

const filter: Parameter = { name: 'filter', check: keysOf(filterKeys), isOptional: true };

const optionsOf = (keys: Parameters<typeof keysOf>[0]): Parameter => ({
  name: 'options',
  check: keysOf(keys),
  isOptional: true,
});

/** What every method of the control takes. */
export const controlArguments: Signatures<Control> = {
  scenario: { current: [], load: [scenario], list: [] },
  clock: {
    now: [],
    advance: [
      {
        name: 'duration',
        check: stringOrNumber('a number of seconds, or a text such as "90s", "10m", "1h30m" or "-2d"'),
      },
    ],
    set: [
      {
        name: 'moment',
        check: stringOrNumber(
          'a date-time such as "2026-01-15T13:00:00Z", or a number of seconds since 1970',
        ),
      },
    ],
    next: [],
    upcoming: [],
    run: [{ name: 'speed', check: numberOf(`a number from 0 to ${maxSpeed}`), isOptional: true }],
    freeze: [],
    timeline: [optionsOf({ limit: count })],
  },
  records: {
    threads: recordsOf(),
    runs: recordsOf('thread_id'),
    batches: recordsOf(),
    jobs: recordsOf(),
    checkpoints: recordsOf('fine_tuning_job_id'),
    policies: recordsOf(),
    prompts: {
      ...recordsOf(undefined, jsonWithBigints),
      render: [
        { name: 'id', check: segment },
        { name: 'variables', check: jsonOfAnyKeys, isOptional: true, isJson: true },
      ],
    },
  },
  faults: {
    add: [{ name: 'line', check: string, isRest: true }],
    list: [optionsOf({ unused: boolean })],
    remove: [{ name: 'idOrLine', check: longSegment }],
    clear: [],
  },
  quotas: { isEnforced: [], enforce: [], lift: [], list: [], refill: [] },
  requests: {
    list: [filter, optionsOf({ limit: count, bodies: boolean })],
    get: [{ name: 'id', check: segment }],
    count: [filter],
    clear: [],
    wait: [filter, optionsOf({ count: whole, timeout: number, signal: abortSignal })],
    walk: [{ name: 'operation', check: string }, optionsOf({ params: texts, seen: listOf(string) })],
  },
  state: {
    save: [state],
    restore: [state],
    changes: [],
    export: [],
    import: [{ ...scenario, check: jsonWithBigints }],
  },
  sessions: {
    list: [],
    create: [
      session,
      {
        name: 'from',
        check: keysOf({ session: text, scenario: scenario.check }),
        isOptional: true,
        isJson: true,
      },
    ],
    delete: [session],
  },
  assumptions: { list: [] },
  reset: [],
};

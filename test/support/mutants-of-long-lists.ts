// Lists that go wrong only behind their first 100 records, or in some of their replies.

import { goodCalls } from '../../src/conformance/calls.ts';
import { fieldOf } from '../../src/conformance/replies.ts';
import {
  batches,
  type Change,
  checkpoints,
  inBody,
  inEvery,
  inEveryReply,
  inLimit,
  inPages,
  inPagesWithoutLimit,
  type Json,
  type Mutant,
  on,
  policy,
  readWhole,
  recordsOf,
  render,
  runs,
  toMutants,
  toPattern,
} from './mutate.ts';

const lists = [
  ['runs', runs],
  ['batches', batches],
  ['checkpoints', checkpoints],
] as const;

/** Changes the records from the place `from` of the list on, in whatever order it is asked for. */
const inRecordsFrom = (from: number, pattern: RegExp, change: (record: Json) => Json): Change =>
  on(pattern, (call, respond) => {
    const reply = respond(call);
    if (reply.status !== 200) return reply;
    const all = readWhole({ ...call, query: '' }, respond).map(({ id }) => id);
    const body = JSON.parse(reply.text);
    const data = recordsOf(body).map((record) => (all.indexOf(record.id) >= from ? change(record) : record));
    return { ...reply, text: JSON.stringify({ ...body, data }) };
  });

const swapAt = (all: readonly Json[], at: number): readonly Json[] =>
  all.map((record, index) => all[index === at ? at + 1 : index === at + 1 ? at : index] ?? record);

/** What is wrong behind the first 100 records alone. */
export const longListMutants: readonly Mutant[] = [
  ...toMutants({
    'runs-owner': {
      'runs are of another thread behind the first 100': inRecordsFrom(100, runs, (run) => ({
        ...run,
        thread_id: 'thread_b',
      })),
    },
    'checkpoints-owner': {
      'checkpoints are of another job behind the first 100': inRecordsFrom(100, checkpoints, (record) => ({
        ...record,
        fine_tuning_job_id: 'job_b',
      })),
    },
    'runs-order': {
      'two runs stand the wrong way round behind the first 100': inPages(
        runs,
        ({ all, limit, after, before }, data) =>
          before >= 0 ? data : all.slice(after + 1, after + 1 + limit),
        (all) => swapAt(all, 115),
      ),
      'desc ends behind the first 150 runs': inPages(
        runs,
        ({ all, limit, after, before }, data) =>
          before >= 0 ? data : all.slice(after + 1, after + 1 + limit),
        (all) => (Number(all[0]?.created_at) > Number(all.at(-1)?.created_at) ? all.slice(0, 150) : all),
      ),
    },
  }),
  ...lists.flatMap(([name, pattern]): Mutant[] => [
    ...toMutants({
      [`${name}-schema`]: {
        [`${name} have a wrong type behind the first 100`]: inRecordsFrom(100, pattern, (record) => ({
          ...record,
          created_at: String(record.created_at),
        })),
      },
      [`${name}-default-page`]: {
        [`the first page of ${name} is the second where limit is not sent`]: inPagesWithoutLimit(
          pattern,
          ({ all, limit, after, before }, data) =>
            after < 0 && before < 0 ? all.slice(limit, 2 * limit) : data,
        ),
        [`after skips a page of ${name} where limit is not sent`]: inPagesWithoutLimit(
          pattern,
          ({ all, limit, after, before }, data) =>
            after >= 0 && before < 0 ? all.slice(after + 1 + limit, after + 1 + 2 * limit) : data,
        ),
      },
      [`${name}-has-more`]: {
        [`has_more of ${name} is false behind the first 100`]: inBody(pattern, (body, { query }) => ({
          ...body,
          has_more: body.has_more && !query?.includes('after='),
        })),
      },
    }),
    [
      `a record of ${name} is lost at each border of pages behind the first 100`,
      [`${name}-after`, ...(name === 'runs' ? ['runs-order'] : [])],
      inPages(pattern, ({ all, limit, after }, data) =>
        after < 100 ? data : all.slice(after + 2, after + 2 + limit),
      ),
    ],
  ]),
  ...(['runs', 'batches'] as const).map(
    (name): Mutant => [
      `limits of ${name} between 31 and 99 act as 30`,
      [`${name}-limit`],
      inLimit({ runs, batches }[name], (limit) => (limit && limit > 30 && limit < 99 ? 30 : limit)),
    ],
  ),
];

/** What is wrong in one of so many replies. */
export const flakyMutants: readonly Mutant[] = [5, 10].flatMap((count) => [
  ...toMutants({
    'runs-owner': {
      [`one of ${count} replies has runs of another thread`]: inEvery(count, runs, (body) => ({
        ...body,
        data: recordsOf(body).map((run) => ({ ...run, thread_id: 'thread_b' })),
      })),
    },
    'policy-schema': {
      [`one of ${count} policies has a value of a wrong type`]: inEvery(count, policy, (body) => ({
        ...body,
        value: String(body.value),
      })),
    },
    'policy-id': {
      [`one of ${count} policies is another`]: inEvery(count, policy, (body) => ({
        ...body,
        id: '33333333-3333-4333-8333-333333333333',
      })),
    },
    'render-body': {
      [`one of ${count} renderings has no success`]: inEvery(count, render, (body) => ({
        ...body,
        success: false,
      })),
    },
    'render-schema': {
      [`one of ${count} renderings has a wrong type`]: inEvery(count, render, (body) => ({
        ...body,
        data: { ...Object(fieldOf(body, 'data')), model: 7 },
      })),
    },
  }),
  ...lists.map(
    ([name, pattern]): Mutant => [
      `one of ${count} replies has a wrong type in ${name}`,
      [`${name}-schema`],
      inEvery(count, pattern, (body) => ({
        ...body,
        data: recordsOf(body).map((record) => ({ ...record, created_at: 'now' })),
      })),
    ],
  ),
  ...goodCalls.map(
    ({ name, contract }): Mutant => [
      `one of ${count} replies of ${name} is cut off`,
      [`${name}-success`],
      inEveryReply(count, toPattern(contract), (reply) => ({ ...reply, text: reply.text.slice(0, 50) })),
    ],
  ),
  ...goodCalls.map(
    ({ name, contract }): Mutant => [
      `one of ${count} calls of ${name} fails`,
      [`${name}-success-repeated`],
      inEveryReply(count, toPattern(contract), (reply) => ({ ...reply, status: 500 })),
    ],
  ),
  ...lists.map(
    ([name, pattern]): Mutant => [
      `one of ${count} replies has a has_more of a wrong type in ${name}`,
      [`${name}-envelope`],
      inEvery(count, pattern, (body) => ({ ...body, has_more: 'yes' })),
    ],
  ),
]);

/** What is lost from one reply in so many that no check sees it twice. */
export const rareMutants: readonly Mutant[] = lists.map(([name, pattern]) => [
  `one of 15 replies loses a record of ${name}`,
  [`${name}-none-lost`],
  inEvery(15, pattern, (body) => ({ ...body, data: recordsOf(body).filter((_, index) => index !== 3) })),
]);

// Lists that go wrong only with a cursor, in one order, or at their end.
import {
  batches,
  type Change,
  checkpoints,
  hasParameter,
  inBody,
  inBodyWith,
  inLimit,
  inPages,
  inPagesWithoutLimit,
  inQuery,
  type Json,
  limitOf,
  type Mutant,
  on,
  recordsOf,
  refuseWith,
  runs,
  toMutants,
} from './mutate.ts';

const lists = [
  ['runs', runs, 20],
  ['batches', batches, 20],
  ['checkpoints', checkpoints, 10],
] as const;

const hasMore = (has_more: boolean) => (body: Json) => ({ ...body, has_more });

/** Changes the limit of calls that have a parameter. */
const inLimitWith = (
  pattern: RegExp,
  [name, value]: readonly [string, string?],
  change: (limit: number | undefined) => number | undefined,
): Change => {
  const changed = inLimit(pattern, change);
  return (call, respond) => (hasParameter(call, name, value) ? changed(call, respond) : respond(call));
};

/** Answers a call for what is behind the last record by another call. */
const behindLast = (pattern: RegExp, change: (all: readonly Json[], limit: number) => readonly Json[]) =>
  inPages(pattern, ({ all, limit, after }, data) => (after === all.length - 1 ? change(all, limit) : data));

const ofEachList: readonly Mutant[] = lists.flatMap(([name, pattern, defaultLimit]): Mutant[] => [
  ...toMutants({
    [`${name}-limit-after`]: {
      [`limit of ${name} is ignored where after is sent`]: inLimitWith(pattern, ['after'], () => undefined),
    },
    [`${name}-limit-after ${name}-default-limit`]: {
      [`pages of ${name} are one short where after is sent`]: inLimitWith(pattern, ['after'], (limit) =>
        Math.max(1, (limit ?? defaultLimit) - 1),
      ),
    },
    [`${name}-default-limit`]: {
      [`the default limit of ${name} is another where after is sent`]: inLimitWith(
        pattern,
        ['after'],
        (limit) => limit ?? 5,
      ),
    },
    [`${name}-end`]: {
      [`${name} begin anew at their end`]: behindLast(pattern, (all, limit) => all.slice(0, limit)),
      [`the last of ${name} is shown again and again`]: behindLast(pattern, (all) => all.slice(-1)),
    },
    [`${name}-walk`]: {
      [`${name} begin anew at their end, and say so`]: on(pattern, (call, respond) => {
        const reply = behindLast(pattern, (all, limit) => all.slice(0, limit))(call, respond);
        return reply.status === 200
          ? { ...reply, text: JSON.stringify({ ...JSON.parse(reply.text), has_more: true }) }
          : reply;
      }),
    },
    [`${name}-has-more`]: {
      [`an empty page of ${name} says that more follows`]: inBodyWith(pattern, ['after'], (body) =>
        recordsOf(body).length === 0 ? hasMore(true)(body) : body,
      ),
    },
    [`${name}-parameters`]: {
      [`after is refused for ${name}`]: refuseWith(pattern, ['after']),
      [`after is not found for ${name}`]: refuseWith(pattern, ['after'], 404),
      [`limit=1 is refused for ${name}`]: refuseWith(pattern, ['limit', '1']),
    },
    [`${name}-after ${name}-walk ${name}-default-page`]: {
      [`a page of ${name} shows its first record twice`]: inPages(pattern, ({ before }, data) =>
        before < 0 ? [...data.slice(0, 1), ...data.slice(0, -1)] : data,
      ),
    },
  }),
  [
    `has_more of ${name} is false without limit`,
    [`${name}-has-more`, ...(name === 'runs' ? ['runs-before-has-more'] : [])],
    inBody(pattern, (body, call) => (hasParameter(call, 'limit') ? body : hasMore(false)(body))),
  ],
]);

const ofBounds: readonly Mutant[] = [
  ...toMutants({
    'runs-parameters': {
      'order=asc is refused': refuseWith(runs, ['order', 'asc']),
      'order=desc is refused': refuseWith(runs, ['order', 'desc']),
      'before is refused': refuseWith(runs, ['before']),
    },
  }),
  ...(['runs', 'batches'] as const).flatMap((name): Mutant[] => {
    const pattern = { runs, batches }[name];
    return toMutants({
      [`${name}-parameters`]: {
        [`limit=100 is refused for ${name}`]: refuseWith(pattern, ['limit', '100']),
        [`limit=100 is answered by 500 for ${name}`]: refuseWith(pattern, ['limit', '100'], 500),
        [`limits above 50 are refused for ${name}`]: on(pattern, (call, respond) => ({
          ...respond(call),
          ...((limitOf(call) ?? 0) > 50 && { status: 400 }),
        })),
      },
    });
  }),
];

const ofOrders: readonly Mutant[] = toMutants({
  'runs-limit runs-limit-after runs-limit-before': {
    'limit is ignored in ascending order': inLimitWith(runs, ['order', 'asc'], () => undefined),
  },
  'runs-default-limit': {
    'the default limit is 10 in ascending order': inLimitWith(runs, ['order', 'asc'], (limit) => limit ?? 10),
  },
  'runs-has-more runs-before-has-more': {
    'has_more is false in ascending order': inBodyWith(runs, ['order', 'asc'], hasMore(false)),
    'has_more is wrong in ascending order': inBodyWith(runs, ['order', 'asc'], (body) => ({
      ...body,
      has_more: !body.has_more,
    })),
  },
  'runs-has-more': {
    'has_more is true in ascending order': inBodyWith(runs, ['order', 'asc'], hasMore(true)),
  },
  'runs-after runs-walk runs-end runs-default-limit runs-default-page': {
    'after goes the other way in ascending order': inPages(runs, ({ all, limit, after }, data) =>
      after < 0 ? data : all.slice(Math.max(0, after - limit), after),
    ),
  },
  'runs-after runs-walk runs-end runs-default-page': {
    'order is ignored where after is sent': inQuery(
      runs,
      (query) => query.has('after') && query.delete('order'),
    ),
    'after is ignored in ascending order': inQuery(
      runs,
      (query) => query.get('order') === 'asc' && query.delete('after'),
    ),
  },
});

const ofBefore: readonly Mutant[] = toMutants({
  'runs-limit-before': {
    'limit is ignored where before is sent': inLimitWith(runs, ['before'], () => undefined),
  },
  'runs-limit-before runs-default-limit': {
    'pages are one short where before is sent': inLimitWith(runs, ['before'], (limit) =>
      Math.max(1, (limit ?? 20) - 1),
    ),
  },
  'runs-before-has-more': {
    'has_more is false where before is sent': inBodyWith(runs, ['before'], hasMore(false)),
    'has_more is wrong where before is sent': inBodyWith(runs, ['before'], (body) => ({
      ...body,
      has_more: !body.has_more,
    })),
    'has_more is false where before is sent in ascending order': inBodyWith(runs, ['before'], (body, call) =>
      hasParameter(call, 'order', 'asc') ? hasMore(false)(body) : body,
    ),
  },
});

/** Changes what is asked for where limit is not sent. */
const inQueryWithoutLimit = (pattern: RegExp, change: (query: URLSearchParams) => unknown): Change =>
  inQuery(pattern, (query) => query.has('limit') || change(query));

/** What goes wrong only where limit is not sent, as by real clients. */
const ofDefaultPages: readonly Mutant[] = [
  ...toMutants({
    'runs-default-page': {
      'before is ignored where limit is not sent': inQueryWithoutLimit(runs, (query) =>
        query.delete('before'),
      ),
      'order=asc is ignored where limit is not sent': inQueryWithoutLimit(runs, (query) =>
        query.delete('order'),
      ),
      'after goes desc in ascending order where limit is not sent': inQueryWithoutLimit(
        runs,
        (query) => query.has('after') && query.delete('order'),
      ),
    },
    'runs-before-has-more': {
      'has_more is false with before where limit is not sent': inBodyWith(runs, ['before'], (body, call) =>
        hasParameter(call, 'limit') ? body : hasMore(false)(body),
      ),
    },
  }),
  ...lists.flatMap(([name, pattern]): Mutant[] =>
    toMutants({
      [`${name}-default-page`]: {
        [`the first page of ${name} lacks its first record where limit is not sent`]: inPagesWithoutLimit(
          pattern,
          ({ all, limit, after, before }, data) => (after < 0 && before < 0 ? all.slice(1, 1 + limit) : data),
        ),
        [`after is ignored for ${name} where limit is not sent`]: inQueryWithoutLimit(pattern, (query) =>
          query.delete('after'),
        ),
      },
      [`${name}-has-more`]: {
        [`has_more of ${name} is true where limit is not sent`]: inBody(pattern, (body, call) =>
          hasParameter(call, 'limit') ? body : hasMore(true)(body),
        ),
      },
    }),
  ),
];

export const cursorMutants: readonly Mutant[] = [
  ...ofEachList,
  ...ofBounds,
  ...ofOrders,
  ...ofBefore,
  ...ofDefaultPages,
];

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
  [
    `limit of ${name} is ignored where after is sent`,
    [`${name}-limit-after`],
    inLimitWith(pattern, ['after'], () => undefined),
  ],
  [
    `pages of ${name} are one short where after is sent`,
    [`${name}-limit-after`, `${name}-default-limit`],
    inLimitWith(pattern, ['after'], (limit) => Math.max(1, (limit ?? defaultLimit) - 1)),
  ],
  [
    `the default limit of ${name} is another where after is sent`,
    [`${name}-default-limit`],
    inLimitWith(pattern, ['after'], (limit) => limit ?? 5),
  ],
  [
    `${name} begin anew at their end`,
    [`${name}-end`],
    behindLast(pattern, (all, limit) => all.slice(0, limit)),
  ],
  [
    `${name} begin anew at their end, and say so`,
    [`${name}-walk`],
    on(pattern, (call, respond) => {
      const reply = behindLast(pattern, (all, limit) => all.slice(0, limit))(call, respond);
      return reply.status === 200
        ? { ...reply, text: JSON.stringify({ ...JSON.parse(reply.text), has_more: true }) }
        : reply;
    }),
  ],
  [
    `the last of ${name} is shown again and again`,
    [`${name}-end`],
    behindLast(pattern, (all) => all.slice(-1)),
  ],
  [
    `an empty page of ${name} says that more follows`,
    [`${name}-has-more`],
    inBodyWith(pattern, ['after'], (body) => (recordsOf(body).length === 0 ? hasMore(true)(body) : body)),
  ],
  [
    `has_more of ${name} is false without limit`,
    [`${name}-has-more`, ...(name === 'runs' ? ['runs-before-has-more'] : [])],
    inBody(pattern, (body, call) => (hasParameter(call, 'limit') ? body : hasMore(false)(body))),
  ],
  [`after is refused for ${name}`, [`${name}-parameters`], refuseWith(pattern, ['after'])],
  [`after is not found for ${name}`, [`${name}-parameters`], refuseWith(pattern, ['after'], 404)],
  [`limit=1 is refused for ${name}`, [`${name}-parameters`], refuseWith(pattern, ['limit', '1'])],
  [
    `a page of ${name} shows its first record twice`,
    [`${name}-after`, `${name}-walk`, `${name}-default-page`],
    inPages(pattern, ({ before }, data) => (before < 0 ? [...data.slice(0, 1), ...data.slice(0, -1)] : data)),
  ],
]);

const ofBounds: readonly Mutant[] = [
  ...(['runs', 'batches'] as const).flatMap((name): Mutant[] => {
    const pattern = { runs, batches }[name];
    return [
      [`limit=100 is refused for ${name}`, [`${name}-parameters`], refuseWith(pattern, ['limit', '100'])],
      [
        `limit=100 is answered by 500 for ${name}`,
        [`${name}-parameters`],
        refuseWith(pattern, ['limit', '100'], 500),
      ],
      [
        `limits above 50 are refused for ${name}`,
        [`${name}-parameters`],
        on(pattern, (call, respond) => ({
          ...respond(call),
          ...((limitOf(call) ?? 0) > 50 && { status: 400 }),
        })),
      ],
    ];
  }),
  ['order=asc is refused', ['runs-parameters'], refuseWith(runs, ['order', 'asc'])],
  ['order=desc is refused', ['runs-parameters'], refuseWith(runs, ['order', 'desc'])],
  ['before is refused', ['runs-parameters'], refuseWith(runs, ['before'])],
];

const ofOrders: readonly Mutant[] = [
  [
    'limit is ignored in ascending order',
    ['runs-limit', 'runs-limit-after', 'runs-limit-before'],
    inLimitWith(runs, ['order', 'asc'], () => undefined),
  ],
  [
    'the default limit is 10 in ascending order',
    ['runs-default-limit'],
    inLimitWith(runs, ['order', 'asc'], (limit) => limit ?? 10),
  ],
  [
    'has_more is false in ascending order',
    ['runs-has-more', 'runs-before-has-more'],
    inBodyWith(runs, ['order', 'asc'], hasMore(false)),
  ],
  [
    'has_more is true in ascending order',
    ['runs-has-more'],
    inBodyWith(runs, ['order', 'asc'], hasMore(true)),
  ],
  [
    'has_more is wrong in ascending order',
    ['runs-has-more', 'runs-before-has-more'],
    inBodyWith(runs, ['order', 'asc'], (body) => ({ ...body, has_more: !body.has_more })),
  ],
  [
    'after goes the other way in ascending order',
    ['runs-after', 'runs-walk', 'runs-end', 'runs-default-limit', 'runs-default-page'],
    inPages(runs, ({ all, limit, after }, data) =>
      after < 0 ? data : all.slice(Math.max(0, after - limit), after),
    ),
  ],
  [
    'order is ignored where after is sent',
    ['runs-after', 'runs-walk', 'runs-end', 'runs-default-page'],
    inQuery(runs, (query) => query.has('after') && query.delete('order')),
  ],
  [
    'after is ignored in ascending order',
    ['runs-after', 'runs-walk', 'runs-end', 'runs-default-page'],
    inQuery(runs, (query) => query.get('order') === 'asc' && query.delete('after')),
  ],
];

const ofBefore: readonly Mutant[] = [
  [
    'limit is ignored where before is sent',
    ['runs-limit-before'],
    inLimitWith(runs, ['before'], () => undefined),
  ],
  [
    'pages are one short where before is sent',
    ['runs-limit-before', 'runs-default-limit'],
    inLimitWith(runs, ['before'], (limit) => Math.max(1, (limit ?? 20) - 1)),
  ],
  [
    'has_more is false where before is sent',
    ['runs-before-has-more'],
    inBodyWith(runs, ['before'], hasMore(false)),
  ],
  [
    'has_more is wrong where before is sent',
    ['runs-before-has-more'],
    inBodyWith(runs, ['before'], (body) => ({ ...body, has_more: !body.has_more })),
  ],
  [
    'has_more is false where before is sent in ascending order',
    ['runs-before-has-more'],
    inBodyWith(runs, ['before'], (body, call) =>
      hasParameter(call, 'order', 'asc') ? hasMore(false)(body) : body,
    ),
  ],
];

/** Changes what is asked for where limit is not sent. */
const inQueryWithoutLimit = (pattern: RegExp, change: (query: URLSearchParams) => unknown): Change =>
  inQuery(pattern, (query) => query.has('limit') || change(query));

/** What goes wrong only where limit is not sent, as by real clients. */
const ofDefaultPages: readonly Mutant[] = [
  ...lists.flatMap(([name, pattern]): Mutant[] => [
    [
      `the first page of ${name} lacks its first record where limit is not sent`,
      [`${name}-default-page`],
      inPagesWithoutLimit(pattern, ({ all, limit, after, before }, data) =>
        after < 0 && before < 0 ? all.slice(1, 1 + limit) : data,
      ),
    ],
    [
      `after is ignored for ${name} where limit is not sent`,
      [`${name}-default-page`],
      inQueryWithoutLimit(pattern, (query) => query.delete('after')),
    ],
    [
      `has_more of ${name} is true where limit is not sent`,
      [`${name}-has-more`],
      inBody(pattern, (body, call) => (hasParameter(call, 'limit') ? body : hasMore(true)(body))),
    ],
  ]),
  [
    'before is ignored where limit is not sent',
    ['runs-default-page'],
    inQueryWithoutLimit(runs, (query) => query.delete('before')),
  ],
  [
    'order=asc is ignored where limit is not sent',
    ['runs-default-page'],
    inQueryWithoutLimit(runs, (query) => query.delete('order')),
  ],
  [
    'after goes desc in ascending order where limit is not sent',
    ['runs-default-page'],
    inQueryWithoutLimit(runs, (query) => query.has('after') && query.delete('order')),
  ],
  [
    'has_more is false with before where limit is not sent',
    ['runs-before-has-more'],
    inBodyWith(runs, ['before'], (body, call) => (hasParameter(call, 'limit') ? body : hasMore(false)(body))),
  ],
];

export const cursorMutants: readonly Mutant[] = [
  ...ofEachList,
  ...ofBounds,
  ...ofOrders,
  ...ofBefore,
  ...ofDefaultPages,
];

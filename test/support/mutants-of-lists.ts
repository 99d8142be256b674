// Lists with one thing broken at a time, and the checks that must fail.
import {
  batches,
  checkpoints,
  inBody,
  inLimit,
  inPages,
  inQuery,
  inRecords,
  limitOf,
  type Mutant,
  on,
  policy,
  recordsOf,
  runs,
  without,
} from './mutate.ts';

/** Pages that are cut, ordered or counted in another way. */
export const pageMutants: readonly Mutant[] = [
  [
    'limit of checkpoints is one more',
    ['checkpoints-limit', 'checkpoints-limit-after'],
    inLimit(checkpoints, (limit) => limit && limit + 1),
  ],
  [
    'has_more of checkpoints is true on every small page',
    ['checkpoints-has-more'],
    inBody(checkpoints, (body, { query }) => ({ ...body, has_more: query !== 'limit=100' })),
  ],
  ['has_more is always true', ['runs-has-more'], inBody(runs, (body) => ({ ...body, has_more: true }))],
  [
    'has_more is always false',
    ['runs-has-more', 'runs-before-has-more'],
    inBody(runs, (body) => ({ ...body, has_more: false })),
  ],
  [
    'has_more is true wherever a page is full',
    ['batches-has-more'],
    inBody(batches, (body, call) => ({
      ...body,
      has_more: recordsOf(body).length === (limitOf(call) ?? 20),
    })),
  ],
  [
    'the cursor is inclusive',
    ['runs-after', 'runs-walk', 'runs-end', 'runs-default-page'],
    inPages(runs, ({ all, limit, after, before }, data) =>
      after < 0 || before >= 0 ? data : all.slice(after, after + limit),
    ),
  ],
  [
    'the cursor of batches is inclusive',
    ['batches-after', 'batches-walk', 'batches-end', 'batches-default-page'],
    inPages(batches, ({ all, limit, after }, data) => (after < 0 ? data : all.slice(after, after + limit))),
  ],
  [
    'after is ignored',
    ['runs-after', 'runs-walk', 'runs-end', 'runs-default-page'],
    inQuery(runs, (query) => query.delete('after')),
  ],
  [
    'after is ignored on checkpoints',
    ['checkpoints-after', 'checkpoints-walk', 'checkpoints-end', 'checkpoints-default-page'],
    inQuery(checkpoints, (query) => query.delete('after')),
  ],
  [
    'pages overlap by a record',
    ['batches-after', 'batches-walk', 'batches-end', 'batches-default-limit', 'batches-default-page'],
    inPages(batches, ({ all, after }, data) =>
      after < 0 ? data : [...all.slice(after, after + 1), ...data],
    ),
  ],
  [
    'a record is dropped at each border of pages',
    ['checkpoints-after', 'checkpoints-limit-after', 'checkpoints-default-limit', 'checkpoints-default-page'],
    inPages(checkpoints, ({ after }, data) => (after < 0 ? data : data.slice(1))),
  ],
  [
    'before is ignored',
    ['runs-before', 'runs-default-page'],
    inQuery(runs, (query) => query.delete('before')),
  ],
  [
    'before shows the page behind',
    ['runs-before', 'runs-default-limit', 'runs-default-page'],
    inPages(runs, ({ all, limit, after, before }, data) =>
      before < 0 || after >= 0 ? data : all.slice(before + 1, before + 1 + limit),
    ),
  ],
  [
    'before shows its page the wrong way round',
    ['runs-before', 'runs-default-page'],
    inPages(runs, ({ after, before }, data) => (before < 0 || after >= 0 ? data : data.toReversed())),
  ],
  ['order is ignored', ['runs-order'], inQuery(runs, (query) => query.delete('order'))],
  [
    'asc and desc are swapped',
    ['runs-order', 'runs-default-page'],
    inQuery(
      runs,
      (query) => query.has('order') && query.set('order', query.get('order') === 'asc' ? 'desc' : 'asc'),
    ),
  ],
  [
    'the default order is asc',
    ['runs-default-order', 'runs-default-page'],
    inQuery(runs, (query) => query.has('order') || query.set('order', 'asc')),
  ],
  [
    'asc leaves a run out',
    ['runs-order', 'runs-walk', 'runs-default-page', 'runs-limit'],
    inBody(runs, (body, { query }) => ({
      ...body,
      data: recordsOf(body).filter((_, index) => index !== 20 || !query?.includes('order=asc')),
    })),
  ],
  [
    'limit is one more',
    ['runs-limit', 'runs-limit-after', 'runs-limit-before'],
    inLimit(runs, (limit) => limit && limit + 1),
  ],
  [
    'limit is one less',
    ['runs-limit', 'runs-limit-after', 'runs-limit-before'],
    inLimit(runs, (limit) => limit && Math.max(1, limit - 1)),
  ],
  [
    'limit is ignored',
    ['runs-limit', 'runs-limit-after', 'runs-limit-before'],
    inLimit(runs, () => undefined),
  ],
  [
    'limit is at most 10',
    ['batches-limit', 'batches-limit-after'],
    inLimit(batches, (limit) => limit && Math.min(limit, 10)),
  ],
  ['the default limit of runs is 10', ['runs-default-limit'], inLimit(runs, (limit) => limit ?? 10)],
  [
    'the default limit of batches is 100',
    ['batches-default-limit'],
    inLimit(batches, (limit) => limit ?? 100),
  ],
  [
    'the default limit of checkpoints is 20',
    ['checkpoints-default-limit'],
    inLimit(checkpoints, (limit) => limit ?? 20),
  ],
];

/** Pages and records of another shape. */
export const shapeMutants: readonly Mutant[] = [
  [
    'checkpoints are answered by 502',
    ['checkpoints-success'],
    on(checkpoints, (call, respond) => ({ ...respond(call), status: 502 })),
  ],
  ['a run has no created_at', ['runs-schema'], inRecords(runs, without('created_at'))],
  [
    'the timestamps of runs are texts',
    ['runs-schema'],
    inRecords(runs, (run) => ({ ...run, created_at: String(run.created_at) })),
  ],
  ['the timestamps of batches have fractions', ['batches-schema'], inRecords(batches, { expires_at: 1.5 })],
  ['the id of a batch is a number', ['batches-schema'], inRecords(batches, { id: 7 })],
  ['the constant of a run is another', ['runs-schema'], inRecords(runs, { object: 'run' })],
  ['the constant of a batch is another', ['batches-schema'], inRecords(batches, { object: 'list' })],
  ['a checkpoint has no created_at', ['checkpoints-schema'], inRecords(checkpoints, without('created_at'))],
  ['step_number is a text', ['checkpoints-schema'], inRecords(checkpoints, { step_number: '5' })],
  ['metrics are texts', ['checkpoints-schema'], inRecords(checkpoints, { metrics: { train_loss: '0.5' } })],
  ['runs are of another thread', ['runs-owner'], inRecords(runs, { thread_id: 'thread_b' })],
  [
    'checkpoints are of another job',
    ['checkpoints-owner'],
    inRecords(checkpoints, { fine_tuning_job_id: 'job_b' }),
  ],
  [
    'the constant of a page is another',
    ['batches-envelope'],
    inBody(batches, (body) => ({ ...body, object: 'page' })),
  ],
  [
    'data is no array',
    ['batches-envelope'],
    inBody(batches, (body) => ({ ...body, data: { ...recordsOf(body) } })),
  ],
  ['data is missing', ['checkpoints-envelope'], inBody(checkpoints, without('data'))],
  [
    'has_more is a text',
    ['checkpoints-envelope'],
    inBody(checkpoints, (body) => ({ ...body, has_more: 'true' })),
  ],
  ['first_id is missing from runs', ['runs-envelope'], inBody(runs, without('first_id'))],
  ['last_id of runs is null', ['runs-envelope'], inBody(runs, (body) => ({ ...body, last_id: null }))],
  [
    'JSON comes as text/html',
    ['batches-success'],
    on(batches, (call, respond) => ({ ...respond(call), header: () => 'text/html' })),
  ],
  [
    'a page is no JSON',
    ['batches-success'],
    on(batches, (call, respond) => ({ ...respond(call), text: '<html>' })),
  ],
  [
    'a valid call returns 206',
    ['policy-success', 'policy-default-status'],
    on(policy, (call, respond) => (call.query ? respond(call) : { ...respond(call), status: 206 })),
  ],
  [
    'a valid call returns 500',
    ['runs-success'],
    on(runs, (call, respond) => ({ ...respond(call), status: 500 })),
  ],
];

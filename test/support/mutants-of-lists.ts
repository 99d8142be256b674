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
  toMutants,
  without,
} from './mutate.ts';

/** Pages that are cut, ordered or counted in another way. */
export const pageMutants: readonly Mutant[] = toMutants({
  'checkpoints-limit checkpoints-limit-after': {
    'limit of checkpoints is one more': inLimit(checkpoints, (limit) => limit && limit + 1),
  },
  'checkpoints-has-more': {
    'has_more of checkpoints is true on every small page': inBody(checkpoints, (body, { query }) => ({
      ...body,
      has_more: query !== 'limit=100',
    })),
  },
  'runs-has-more': {
    'has_more is always true': inBody(runs, (body) => ({ ...body, has_more: true })),
  },
  'runs-has-more runs-before-has-more': {
    'has_more is always false': inBody(runs, (body) => ({ ...body, has_more: false })),
  },
  'batches-has-more': {
    'has_more is true wherever a page is full': inBody(batches, (body, call) => ({
      ...body,
      has_more: recordsOf(body).length === (limitOf(call) ?? 20),
    })),
  },
  'runs-after runs-walk runs-end runs-default-page': {
    'the cursor is inclusive': inPages(runs, ({ all, limit, after, before }, data) =>
      after < 0 || before >= 0 ? data : all.slice(after, after + limit),
    ),
    'after is ignored': inQuery(runs, (query) => query.delete('after')),
  },
  'batches-after batches-walk batches-end batches-default-page': {
    'the cursor of batches is inclusive': inPages(batches, ({ all, limit, after }, data) =>
      after < 0 ? data : all.slice(after, after + limit),
    ),
  },
  'checkpoints-after checkpoints-walk checkpoints-end checkpoints-default-page': {
    'after is ignored on checkpoints': inQuery(checkpoints, (query) => query.delete('after')),
  },
  'batches-after batches-walk batches-end batches-default-limit batches-default-page': {
    'pages overlap by a record': inPages(batches, ({ all, after }, data) =>
      after < 0 ? data : [...all.slice(after, after + 1), ...data],
    ),
  },
  'checkpoints-after checkpoints-limit-after checkpoints-default-limit checkpoints-default-page': {
    'a record is dropped at each border of pages': inPages(checkpoints, ({ after }, data) =>
      after < 0 ? data : data.slice(1),
    ),
  },
  'runs-before runs-default-page': {
    'before is ignored': inQuery(runs, (query) => query.delete('before')),
    'before shows its page the wrong way round': inPages(runs, ({ after, before }, data) =>
      before < 0 || after >= 0 ? data : data.toReversed(),
    ),
  },
  'runs-before runs-default-limit runs-default-page': {
    'before shows the page behind': inPages(runs, ({ all, limit, after, before }, data) =>
      before < 0 || after >= 0 ? data : all.slice(before + 1, before + 1 + limit),
    ),
  },
  'runs-order': {
    'order is ignored': inQuery(runs, (query) => query.delete('order')),
  },
  'runs-order runs-default-page': {
    'asc and desc are swapped': inQuery(
      runs,
      (query) => query.has('order') && query.set('order', query.get('order') === 'asc' ? 'desc' : 'asc'),
    ),
  },
  'runs-default-order runs-default-page': {
    'the default order is asc': inQuery(runs, (query) => query.has('order') || query.set('order', 'asc')),
  },
  'runs-order runs-walk runs-default-page runs-limit': {
    'asc leaves a run out': inBody(runs, (body, { query }) => ({
      ...body,
      data: recordsOf(body).filter((_, index) => index !== 20 || !query?.includes('order=asc')),
    })),
  },
  'runs-limit runs-limit-after runs-limit-before': {
    'limit is one more': inLimit(runs, (limit) => limit && limit + 1),
    'limit is one less': inLimit(runs, (limit) => limit && Math.max(1, limit - 1)),
    'limit is ignored': inLimit(runs, () => undefined),
  },
  'batches-limit batches-limit-after': {
    'limit is at most 10': inLimit(batches, (limit) => limit && Math.min(limit, 10)),
  },
  'runs-default-limit': {
    'the default limit of runs is 10': inLimit(runs, (limit) => limit ?? 10),
  },
  'batches-default-limit': {
    'the default limit of batches is 100': inLimit(batches, (limit) => limit ?? 100),
  },
  'checkpoints-default-limit': {
    'the default limit of checkpoints is 20': inLimit(checkpoints, (limit) => limit ?? 20),
  },
});

/** Pages and records of another shape. */
export const shapeMutants: readonly Mutant[] = toMutants({
  'checkpoints-success': {
    'checkpoints are answered by 502': on(checkpoints, (call, respond) => ({
      ...respond(call),
      status: 502,
    })),
  },
  'runs-schema': {
    'a run has no created_at': inRecords(runs, without('created_at')),
    'the timestamps of runs are texts': inRecords(runs, (run) => ({
      ...run,
      created_at: String(run.created_at),
    })),
    'the constant of a run is another': inRecords(runs, { object: 'run' }),
  },
  'batches-schema': {
    'the timestamps of batches have fractions': inRecords(batches, { expires_at: 1.5 }),
    'the id of a batch is a number': inRecords(batches, { id: 7 }),
    'the constant of a batch is another': inRecords(batches, { object: 'list' }),
  },
  'checkpoints-schema': {
    'a checkpoint has no created_at': inRecords(checkpoints, without('created_at')),
    'step_number is a text': inRecords(checkpoints, { step_number: '5' }),
    'metrics are texts': inRecords(checkpoints, { metrics: { train_loss: '0.5' } }),
  },
  'runs-owner': {
    'runs are of another thread': inRecords(runs, { thread_id: 'thread_b' }),
  },
  'checkpoints-owner': {
    'checkpoints are of another job': inRecords(checkpoints, { fine_tuning_job_id: 'job_b' }),
  },
  'batches-envelope': {
    'the constant of a page is another': inBody(batches, (body) => ({ ...body, object: 'page' })),
    'data is no array': inBody(batches, (body) => ({ ...body, data: { ...recordsOf(body) } })),
  },
  'checkpoints-envelope': {
    'data is missing': inBody(checkpoints, without('data')),
    'has_more is a text': inBody(checkpoints, (body) => ({ ...body, has_more: 'true' })),
  },
  'runs-envelope': {
    'first_id is missing from runs': inBody(runs, without('first_id')),
    'last_id of runs is null': inBody(runs, (body) => ({ ...body, last_id: null })),
  },
  'batches-success': {
    'JSON comes as text/html': on(batches, (call, respond) => ({
      ...respond(call),
      header: () => 'text/html',
    })),
    'a page is no JSON': on(batches, (call, respond) => ({ ...respond(call), text: '<html>' })),
  },
  'policy-success policy-default-status': {
    'a valid call returns 206': on(policy, (call, respond) =>
      call.query ? respond(call) : { ...respond(call), status: 206 },
    ),
  },
  'runs-success': {
    'a valid call returns 500': on(runs, (call, respond) => ({ ...respond(call), status: 500 })),
  },
});

// What each shipped scenario promises by its name, and what all fixtures and scenarios have. See also scenarios.test.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import type { Batch, Checkpoint, Run } from '../../src/index.ts';
import { openGateway } from '../support/open-gateway.ts';
import { checkpointsOf, runsOf, walkPages } from '../support/scenario-calls.ts';

const countBy = (values: readonly (string | number)[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

const statusesOf = (records: readonly { readonly status: string }[]) =>
  countBy(records.map(({ status }) => status));

const each = (states: readonly string[], count: number) =>
  Object.fromEntries(states.map((state) => [state, count]));

test('empty has lists without a record, and nothing else', async () => {
  const { send, getPage, gateway } = openGateway({ scenario: 'empty' });
  for (const path of [runsOf('thread_empty'), '/batches', checkpointsOf('ftjob_empty')])
    expect([path, getPage(path)]).toMatchObject([path, { object: 'list', data: [], has_more: false }]);
  expect(getPage(runsOf('thread_empty'))).toMatchObject({ first_id: '', last_id: '' });
  expect(getPage(checkpointsOf('ftjob_empty'))).toMatchObject({ first_id: null, last_id: null });
  expect(Object.keys(getPage('/batches')).sort()).toEqual(['data', 'has_more', 'object']);
  expect(send({ path: runsOf('thread_demo') }).status).toBe(404);
  expect(await gateway.records.policies.list()).toEqual([]);
  expect(await gateway.records.prompts.list()).toEqual([]);
});

test('assistants-gone has the records of default, but no run list', () => {
  const { send, getPage } = openGateway({ scenario: 'assistants-gone' });
  expect(send({ path: runsOf('thread_demo') }).status).toBe(404);
  expect(getPage('/batches').data).toHaveLength(20);
});

test('one-page never has more', () => {
  const { getPage } = openGateway({ scenario: 'one-page' });
  const counts = {
    [runsOf('thread_one_run')]: 1,
    [runsOf('thread_one_page')]: 12,
    '/batches': 7,
    [checkpointsOf('ftjob_one_checkpoint')]: 1,
    [checkpointsOf('ftjob_one_page')]: 6,
  };
  for (const [path, count] of Object.entries(counts)) {
    const { data, has_more } = getPage(path);
    expect([path, data.length, has_more]).toEqual([path, count, false]);
  }
});

test('many-pages ends every list at its last record', async () => {
  const opened = openGateway({ scenario: 'many-pages' });
  const { threads = {}, jobs = {} } = await opened.gateway.state.export();
  const paths = [...Object.keys(threads).map(runsOf), ...Object.keys(jobs).map(checkpointsOf)];
  expect(paths).toHaveLength(30);
  for (const path of paths) {
    const count = Number(/_(\d+)/.exec(path)?.[1]);
    const pages = walkPages(opened, path, 100);
    expect([path, pages.length, pages.flat().length]).toEqual([path, Math.ceil(count / 100), count]);
  }
});

test.each([
  ['many-pages-one-less', [100, 99]],
  ['many-pages', [100, 100]],
  ['many-pages-one-more', [100, 100, 1]],
] as const)('the pages of the batches of %s have so many: %j', (scenario, sizes) => {
  expect(walkPages(openGateway({ scenario }), '/batches', 100).map(({ length }) => length)).toEqual(sizes);
});

test.each([
  ['thread_all_tied', [60]],
  ['thread_tied_pages', Array<number>(5).fill(20)],
  ['thread_tied_sevens', [2, ...Array<number>(14).fill(7)]],
  ['thread_tied_pairs', Array<number>(25).fill(2)],
  ['thread_untied', Array<number>(50).fill(1)],
])(
  'the thread %s of tied-timestamps has as many runs a second as it says, and a pager sees each once',
  (thread, sizes) => {
    const runs = walkPages<Run>(openGateway({ scenario: 'tied-timestamps' }), runsOf(thread), 20).flat();
    const perSecond = Object.values(countBy(runs.map(({ created_at }) => created_at)));
    expect(perSecond.sort((a, b) => a - b)).toEqual(sizes);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(runs.length);
  },
);

test('every-run-status has each state once in one thread, and a thread for each', () => {
  const { getPage } = openGateway({ scenario: 'every-run-status' });
  const statusesIn = (thread: string) => statusesOf(getPage<Run>(runsOf(thread)).data);
  expect(statusesIn('thread_every_status')).toEqual(each(runStates, 1));
  for (const state of runStates) expect(Object.keys(statusesIn(`thread_${state}`))).toEqual([state]);
});

test('every-batch-status has each state twice on the first page', () => {
  const { getPage } = openGateway({ scenario: 'every-batch-status' });
  expect(statusesOf(getPage<Batch>('/batches').data)).toEqual(each(batchStates, 2));
});

describe('in-flight', () => {
  test('begins with all of its work under way, as listed, and ends it by the clock', async () => {
    const { gateway, getPage } = openGateway({ scenario: 'in-flight' });
    const runs = () => getPage<Run>(`${runsOf('thread_in_flight')}?limit=100`).data;
    const batches = () => getPage<Batch>('/batches?limit=100').data;
    const live = { queued: 10, in_progress: 10, requires_action: 6, cancelling: 4 };
    const liveBatches = { validating: 12, in_progress: 20, finalizing: 6, cancelling: 4 };
    expect(statusesOf(runs())).toEqual(live);
    expect(statusesOf(batches())).toEqual(liveBatches);

    await gateway.clock.advance('2m');
    expect(statusesOf(runs())).not.toEqual(live);
    await gateway.clock.advance('8m');
    for (const state of Object.keys(live)) expect(statusesOf(runs())).not.toHaveProperty(state);
    await gateway.clock.advance('24h');
    for (const state of Object.keys(liveBatches)) expect(statusesOf(batches())).not.toHaveProperty(state);
    expect(getPage(`${checkpointsOf('ftjob_in_flight')}?limit=100`).data).toHaveLength(20);
  });

  test('is what live starts from, whose clock runs by itself', async () => {
    const { gateway } = openGateway({ scenario: 'live' });
    expect((await gateway.clock.now()).speed).toBe(60);
    const { threads, batches } = await gateway.state.export();
    expect(await openGateway({ scenario: 'in-flight' }).gateway.state.export()).toMatchObject({
      threads,
      batches,
    });
  });
});

test.each([
  ['ftjob_just_begun', 0, 12],
  ['ftjob_nearly_done', 19, 20],
  ['ftjob_done', 20, 20],
])('the job %s of training shows %i checkpoints, and by and by %i', async (job, made, all) => {
  const { gateway, getPage } = openGateway({ scenario: 'training' });
  const read = () => getPage<Checkpoint>(`${checkpointsOf(job)}?limit=1000`).data;
  const isFinal = ({ fine_tuned_model_checkpoint }: Checkpoint) =>
    !/:ckpt-step-/.test(fine_tuned_model_checkpoint);

  const first = read();
  expect(first).toHaveLength(made);
  await gateway.clock.advance('210s');
  const next = read();
  expect(next).toHaveLength(Math.min(all, made + 1));
  expect(next.slice(next.length - made)).toEqual(first);
  expect(next.some(isFinal)).toBe(next.length === all);
  await gateway.clock.advance('2d');
  const last = read();
  expect(last).toHaveLength(all);
  expect(last.map(isFinal)).toEqual(last.map((_, index) => index === 0));
});

test('large has pages at both ends of 100,000 records', () => {
  const { getPage } = openGateway({ scenario: 'large' });
  const path = `${runsOf('thread_large')}?limit=100`;
  const oldest = getPage<Run>(`${path}&order=asc`);
  const [first] = oldest.data;
  const last = getPage<Run>(`${path}&before=${first?.id}`);
  expect(oldest.has_more && last.has_more).toBe(true);
  expect(last.data.slice(1)).toEqual(oldest.data.slice(1).toReversed());
  expect(getPage(`${path}&after=${last.data[98]?.id}`).data).toEqual([last.data[99], first]);
  const page = getPage<Batch>('/batches?limit=100');
  expect([page.data.length, page.has_more]).toEqual([100, true]);
});

test('batch-failures serves each record as its file has it', () => {
  const file = new URL('../../scenarios/batch-failures.yaml', import.meta.url);
  const { batches }: { batches: { records: Partial<Batch>[] } } = parse(readFileSync(file, 'utf8'));
  const { data } = openGateway({ scenario: 'batch-failures' }).getPage<Batch>('/batches?limit=100');
  expect(batches.records).toHaveLength(15);
  for (const record of batches.records) expect(data.find(({ id }) => id === record.id)).toMatchObject(record);
});

test('every prompt that ships has a model and a message, partials too', () => {
  const root = new URL('../../', import.meta.url);
  const read = (folder: string) =>
    readdirSync(new URL(folder, root))
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => parse(readFileSync(new URL(folder + file, root), 'utf8')));
  const written = read('scenarios/').flatMap(({ prompts = {} }) => Object.values<object | string>(prompts));
  const prompts = [...read('fixtures/prompts/'), ...written.filter((prompt) => typeof prompt === 'object')];
  expect(prompts.length).toBeGreaterThan(20);
  for (const prompt of prompts)
    for (const version of prompt.versions ?? [prompt])
      expect(version).toMatchObject({
        parameters: { model: expect.any(String) },
        ...(version.string === undefined && { messages: expect.arrayContaining([expect.anything()]) }),
      });
});

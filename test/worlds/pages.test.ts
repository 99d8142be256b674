import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { volume } from '../support/settings.ts';

const open = () => openGateway({ scenario: smallScenario });

interface Page {
  readonly data: readonly { readonly id: string; readonly created_at: number }[];
  readonly has_more: boolean;
  readonly last_id: string;
}

/** Walks a list page by page, and does something after each page with what was seen so far. */
const walk = async (
  { getJson }: OpenGateway,
  path: string,
  between: (seen: readonly string[]) => Promise<unknown>,
): Promise<string[]> => {
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const page: Page = getJson(`${path}limit=4&after=${after}`);
    seen.push(...page.data.map(({ id }) => id));
    if (!page.has_more) return seen;
    after = page.last_id;
    await between(seen);
  }
};

type Between = 'create' | 'create-old' | 'delete' | 'update' | 'none';
const steps = fc.array(
  fc.tuple(fc.constantFrom<Between>('create', 'create-old', 'delete', 'update', 'none'), fc.nat()),
  { maxLength: 12 },
);

describe('a walk over the pages of a list', () => {
  test.each([
    ['batches, newest first', '/batches?', 'desc'],
    ['runs, oldest first', '/threads/thread_a/runs?order=asc&', 'asc'],
  ] as const)(
    'shows every record that stays, once, while others come and go: %s',
    async (_name, path, order) => {
      await fc.assert(
        fc.asyncProperty(steps, async (changes) => {
          const worlds = open();
          const { records } = worlds.gateway;
          const isRuns = path.startsWith('/threads');
          const kind = isRuns ? records.runs : records.batches;
          const listAll = () =>
            isRuns ? records.runs.list({ thread_id: 'thread_a', order }) : records.batches.list();
          const create = (given: object) =>
            kind.create({ ...given, ...(isRuns && { thread_id: 'thread_a' }) } as never);
          const stay = new Set((await listAll()).map(({ id }) => id));
          const left = [...changes];
          const seen = await walk(worlds, path, async (before) => {
            const [step, choice] = left.shift() ?? (['none', 0] as const);
            const all = await listAll();
            // The cursor itself stays: a client that lost it gets an error, and starts again.
            const others = all.filter(({ id }) => id !== before.at(-1));
            const chosen = others[choice % others.length];
            if (step === 'create') await create({});
            if (step === 'create-old') await create({ created_at: chosen?.created_at });
            if (step === 'update' && chosen) await kind.update(chosen.id, { metadata: { seen: 'yes' } });
            if (step === 'delete' && chosen) {
              await kind.delete(chosen.id);
              stay.delete(chosen.id);
            }
          });
          expect(new Set(seen).size).toBe(seen.length);
          for (const id of stay) expect(seen).toContain(id);
          const inOrder = (await listAll()).map(({ id }) => id);
          const present = seen.filter((id) => inOrder.includes(id));
          expect(present).toEqual(inOrder.filter((id) => seen.includes(id)));
        }),
        { numRuns: volume(60, 4) },
      );
    },
  );

  test('whose cursor was deleted gets an error, and never starts again by itself', async () => {
    const { gateway, getJson } = open();
    const { last_id } = getJson('/batches?limit=4');
    await gateway.records.batches.delete(last_id);
    expect(getJson(`/batches?limit=4&after=${last_id}`).error.param).toBe('after');
  });
});

test('owners take all that belongs to them along, and are empty when they are made again', async () => {
  const { gateway, send, getJson } = open();
  const { threads, runs, jobs, checkpoints } = gateway.records;
  const made = await runs.create({ thread_id: 'thread_a' });
  const [seeded] = await runs.list({ thread_id: 'thread_a', order: 'asc' });
  const checkpoint = await checkpoints.create({ fine_tuning_job_id: 'job_a' });
  await threads.delete('thread_a');
  await jobs.delete('job_a');
  expect(send({ path: '/threads/thread_a/runs' }).status).toBe(404);
  expect(send({ path: '/fine_tuning/jobs/job_a/checkpoints' }).status).toBe(404);
  for (const id of [made.id, seeded?.id ?? '']) expect(await runs.get(id)).toBeUndefined();
  expect(await checkpoints.get(checkpoint.id)).toBeUndefined();

  await threads.create({ id: 'thread_a' });
  await jobs.create({ id: 'job_a' });
  expect(getJson('/threads/thread_a/runs').data).toEqual([]);
  expect(getJson('/fine_tuning/jobs/job_a/checkpoints').data).toEqual([]);
  const again = await runs.create({ thread_id: 'thread_b', id: seeded?.id ?? '' });
  expect(getJson('/threads/thread_b/runs').data).toContainEqual(again);
  expect(await runs.list({ thread_id: 'thread_b' })).toHaveLength(4);
  expect(await runs.list({ thread_id: 'thread_a' })).toEqual([]);
});

import { expect, test } from 'vitest';
import type { Control } from '../../src/index.ts';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';

const open = () => openGateway({ scenario: smallScenario });
const inThread = { thread_id: 'thread_a' };
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

const refused: readonly (readonly [
  kind: Exclude<keyof Control['records'], 'own'>,
  values: object,
  words: string,
])[] = [
  ['runs', { ...inThread, status: 5 }, 'status: expected a string, but found 5'],
  ['runs', { ...inThread, usage: { total_tokens: 1.5 } }, 'usage.'],
  ['runs', { ...inThread, created_at: -1 }, 'created_at: not a time from 1970 to 9999'],
  ['runs', { ...inThread, stauts: 'queued' }, 'stauts: unknown key. Did you mean "status"?'],
  ['runs', { ...inThread, model: null }, 'model: expected a string, but found null'],
  [
    'runs',
    { ...inThread, metadata: cyclic },
    'it contains itself, or nests too deeply: the maximum is 400 levels',
  ],
  ['runs', {}, 'Failed to create the run: thread_id is missing: set it to the id of the thread.'],
  ['runs', { thread_id: 'thread_nobody' }, 'no such thread: "thread_nobody"'],
  ['batches', { object: 'bacth' }, 'object: expected "batch"'],
  ['batches', { request_counts: { total: 1, completed: 1 } }, 'request_counts.failed: missing'],
  ['checkpoints', { fine_tuning_job_id: 'nobody' }, 'no such job: "nobody"'],
  ['policies', { id: 'mine' }, 'id: '],
  [
    'policies',
    { conditions: [{ key: 'model', value: ['a', 'b'] }] },
    'conditions[0].value: expected a string, as in the contract, but found a list',
  ],
  ['policies', { conditions: [{ key: 'a', value: 5 }] }, 'value: expected a string, but found 5'],
  ['policies', { unit: 'rpw' }, 'unit: expected "rpm" or "rph" or "rpd", but found "rpw"'],
  ['prompts', {}, 'missing: expected `messages`'],
  ['prompts', { messages: [{ role: 'user', content: '{{#open}}' }] }, 'the section {{#open}} is not closed'],
  ['threads', { runs: 3 }, 'runs: unknown key'],
];

test.each(refused)('%s.create refuses %o and reports where: %s', async (kind, values, words) => {
  const { records } = open().gateway;
  await expect(records[kind].create(values as never)).rejects.toThrow(words);
});

test('all errors are reported together, by create and update alike', async () => {
  const { records } = open().gateway;
  const wrong = { status: 5, model: 6 } as never;
  const [run] = await records.runs.list();
  for (const refusing of [
    records.runs.create({ ...inThread, ...(wrong as object) }),
    records.runs.update(run?.id ?? '', wrong),
  ])
    await expect(refusing).rejects.toThrow(/status: expected a string.*model: expected a string/);
});

test('a record stays with its owner', async () => {
  const { records } = open().gateway;
  const [run] = await records.runs.list(inThread);
  const [checkpoint] = await records.checkpoints.list({ fine_tuning_job_id: 'job_a' });
  await expect(records.runs.update(run?.id ?? '', { thread_id: 'thread_b' })).rejects.toThrow(
    'thread_id cannot be changed',
  );
  await expect(
    records.checkpoints.update(checkpoint?.id ?? '', { fine_tuning_job_id: 'job_b' }),
  ).rejects.toThrow('fine_tuning_job_id cannot be changed');
});

test('the types refuse what the contract does not have', () => {
  const { records } = open().gateway;
  // Never called: the compiler alone reads this.
  const misuse = (): unknown => [
    // @ts-expect-error a run belongs to a thread
    records.runs.create({ status: 'queued' }),
    // @ts-expect-error there is no such field
    records.runs.create({ thread_id: 'a', stauts: 'queued' }),
    // @ts-expect-error usage is whole or null
    records.runs.update('a', { usage: { total_tokens: 1 } }),
    // @ts-expect-error a batch is a batch
    records.batches.create({ object: 'thread.run' }),
    // @ts-expect-error a checkpoint belongs to a job
    records.checkpoints.create({ step_number: 1 }),
    // @ts-expect-error a thread has an id alone
    records.threads.create({ runs: 3 }),
    // @ts-expect-error there is no such order
    records.runs.list({ order: 'newest' }),
    // @ts-expect-error batches belong to nothing
    records.batches.list({ thread_id: 'a' }),
  ];
  expect(misuse).toBeTypeOf('function');
});

test.each([
  ['runs', 'canceled', 'no record can have the status "canceled". Did you mean "cancelled"?'],
  ['batches', 'complete', 'Did you mean "completed"?'],
  ['policies', 'activ', 'Did you mean "active"?'],
] as const)(
  '%s are not counted or listed by the status %s, which none can have',
  async (kind, status, words) => {
    const { records } = open().gateway;
    for (const use of [records[kind].count, records[kind].list])
      await expect(use({ status })).rejects.toThrow(words);
    await expect(records.runs.count({ ...inThread, status: 'canceled' })).rejects.toThrow(
      'no record can have',
    );
  },
);

test('any status may be asked for if the assumption allows any', async () => {
  const { records, assumptions } = open().gateway;
  await assumptions.set('run-states', 'any');
  await records.runs.create({ ...inThread, status: 'canceled' as 'cancelled' }); // the type has the known ones alone
  expect(await records.runs.count({ status: 'canceled' })).toBe(1);
  expect(await records.runs.count({ status: 'paused' })).toBe(0);
});

// Changes of a world, one by one, for tests that do any of them in any order.
import fc from 'fast-check';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import type { Control } from '../../src/service/control/control-interface.ts';

/** One change; `pick` chooses among the records that there are. */
type Change = (
  control: Control,
  pick: <Item>(items: readonly Item[]) => Item | undefined,
) => Promise<unknown>;

const owners = ['thread_a', 'thread_new', 'constructor'] as const;

/** A change of any record of one kind, if there is one. */
const ofAny =
  <Kind extends Exclude<keyof Control['records'], 'own'>>(
    kind: Kind,
    act: (id: string, of: Control['records'][Kind], pick: Parameters<Change>[1]) => Promise<unknown>,
  ): Change =>
  async ({ records }, pick) => {
    const all: readonly { readonly id: string }[] = await records[kind].list();
    const found = pick(all);
    return found && act(found.id, records[kind], pick);
  };

/** A prompt of one message. */
const saying = (content: string) => ({ messages: [{ role: 'user', content }] });

export const changes = {
  advance: ({ clock }) => clock.advance('7m'),
  goBack: ({ clock }) => clock.advance('-90m'),
  createRun: async ({ records }, pick) => {
    const thread = pick(await records.threads.list());
    return thread && records.runs.create({ thread_id: thread.id, metadata: { note: 'yes: "é"\n# 1' } });
  },
  updateRun: async ({ records }, pick) => {
    const run = pick(await records.runs.list());
    return run && records.runs.update(run.id, { instructions: 'null', created_at: run.created_at - 1 });
  },
  setStatusOfRun: ofAny('runs', (id, runs, pick) => runs.setStatus(id, pick(runStates) ?? 'queued')),
  deleteRun: ofAny('runs', (id, runs) => runs.delete(id)),
  recreateRun: async ({ records }, pick) => {
    if ((await records.threads.get('thread_a')) === undefined) return;
    const run = pick(await records.runs.list({ thread_id: 'thread_a' }));
    if (run === undefined) return;
    await records.runs.delete(run.id);
    await records.runs.create({ id: run.id, thread_id: 'thread_a', status: 'failed' });
  },
  createThread: async ({ records }, pick) => {
    const id = pick(owners) ?? '';
    return (await records.threads.get(id)) ?? records.threads.create({ id });
  },
  deleteThread: ofAny('threads', (id, threads) => threads.delete(id)),
  createBatch: ({ records }) => records.batches.create({ status: 'expired' }),
  createOldBatch: ({ records }) => records.batches.create({ created_at: 1_768_470_000 }),
  setStatusOfBatch: ofAny('batches', (id, batches, pick) =>
    batches.setStatus(id, pick(batchStates) ?? 'validating'),
  ),
  updateBatch: ofAny('batches', (id, batches) => batches.update(id, { metadata: null, endpoint: '/v1/é' })),
  deleteBatch: ofAny('batches', (id, batches) => batches.delete(id)),
  createJob: async ({ records }, pick) => {
    const id = pick(['job_a', 'toString']) ?? '';
    return (await records.jobs.get(id)) ?? records.jobs.create({ id });
  },
  deleteJob: ofAny('jobs', (id, jobs) => jobs.delete(id)),
  createCheckpoint: async ({ records }, pick) => {
    const job = pick(await records.jobs.list());
    return job && records.checkpoints.create({ fine_tuning_job_id: job.id, metrics: { step: 1.5 } });
  },
  updateCheckpoint: ofAny('checkpoints', (id, checkpoints) => checkpoints.update(id, { metrics: {} })),
  deleteCheckpoint: ofAny('checkpoints', (id, checkpoints) => checkpoints.delete(id)),
  createPolicy: ({ records }) => records.policies.create({ name: null }),
  updatePolicy: ofAny('policies', (id, policies) => policies.update(id, { value: 7, status: 'archived' })),
  deletePolicy: ofAny('policies', (id, policies) => policies.delete(id)),
  barePolicy: async ({ records }, pick) => {
    const policy = pick(await records.policies.list());
    if (policy === undefined) return;
    const { name: _name, conditions: _conditions, group_by: _group, object: _object, ...bare } = policy;
    await records.policies.delete(policy.id);
    await records.policies.create(bare);
  },
  createPrompt: ({ records }) => records.prompts.create(saying('{{name}} {{>greeting}} {{text}}')),
  updatePrompt: ofAny('prompts', (id, prompts) => prompts.update(id, saying('{{text}}!'))),
  deletePrompt: ofAny('prompts', (id, prompts) => prompts.delete(id)),
  save: ({ state }) => state.save(),
  restore: ({ state }) => state.restore().catch(() => {}),
  reset: ({ reset }) => reset(),
} satisfies Record<string, Change>;

type ChangeName = keyof typeof changes;

/** Does these changes; each number chooses the record that its change is done to. */
export const change = async (
  control: Control,
  steps: readonly (readonly [ChangeName, number])[],
): Promise<void> => {
  for (const [name, choice] of steps)
    await (changes[name] as Change)(control, (items) => items[choice % Math.max(1, items.length)]);
};

export const anyChange = fc.tuple(
  fc.constantFrom(...(Object.keys(changes) as ChangeName[])),
  fc.nat({ max: 200 }),
);

/** Any changes in any order. */
export const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 25 });

/** Every change that leaves something behind, once. */
export const everyChange = (Object.keys(changes) as ChangeName[])
  .filter((name) => !['save', 'restore', 'reset'].includes(name))
  .map((name, index) => [name, index] as const);

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
  setStatusOfRun: async ({ records }, pick) => {
    const run = pick(await records.runs.list());
    return run && records.runs.setStatus(run.id, pick(runStates) ?? 'queued');
  },
  deleteRun: async ({ records }, pick) => {
    const run = pick(await records.runs.list());
    return run && records.runs.delete(run.id);
  },
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
  deleteThread: async ({ records }, pick) => {
    const thread = pick(await records.threads.list());
    return thread && records.threads.delete(thread.id);
  },
  createBatch: ({ records }) => records.batches.create({ status: 'expired' }),
  createOldBatch: ({ records }) => records.batches.create({ created_at: 1_768_470_000 }),
  setStatusOfBatch: async ({ records }, pick) => {
    const batch = pick(await records.batches.list());
    return batch && records.batches.setStatus(batch.id, pick(batchStates) ?? 'validating');
  },
  updateBatch: async ({ records }, pick) => {
    const batch = pick(await records.batches.list());
    return batch && records.batches.update(batch.id, { metadata: null, endpoint: '/v1/é' });
  },
  deleteBatch: async ({ records }, pick) => {
    const batch = pick(await records.batches.list());
    return batch && records.batches.delete(batch.id);
  },
  createJob: async ({ records }, pick) => {
    const id = pick(['job_a', 'toString']) ?? '';
    return (await records.jobs.get(id)) ?? records.jobs.create({ id });
  },
  deleteJob: async ({ records }, pick) => {
    const job = pick(await records.jobs.list());
    return job && records.jobs.delete(job.id);
  },
  createCheckpoint: async ({ records }, pick) => {
    const job = pick(await records.jobs.list());
    return job && records.checkpoints.create({ fine_tuning_job_id: job.id, metrics: { step: 1.5 } });
  },
  updateCheckpoint: async ({ records }, pick) => {
    const checkpoint = pick(await records.checkpoints.list());
    return checkpoint && records.checkpoints.update(checkpoint.id, { metrics: {} });
  },
  deleteCheckpoint: async ({ records }, pick) => {
    const checkpoint = pick(await records.checkpoints.list());
    return checkpoint && records.checkpoints.delete(checkpoint.id);
  },
  createPolicy: ({ records }) => records.policies.create({ name: null }),
  updatePolicy: async ({ records }, pick) => {
    const policy = pick(await records.policies.list());
    return policy && records.policies.update(policy.id, { value: 7, status: 'archived' });
  },
  deletePolicy: async ({ records }, pick) => {
    const policy = pick(await records.policies.list());
    return policy && records.policies.delete(policy.id);
  },
  barePolicy: async ({ records }, pick) => {
    const policy = pick(await records.policies.list());
    if (policy === undefined) return;
    const { name: _name, conditions: _conditions, group_by: _group, object: _object, ...bare } = policy;
    await records.policies.delete(policy.id);
    await records.policies.create(bare);
  },
  createPrompt: ({ records }) =>
    records.prompts.create({ messages: [{ role: 'user', content: '{{name}} {{>greeting}} {{text}}' }] }),
  updatePrompt: async ({ records }, pick) => {
    const prompt = pick(await records.prompts.list());
    return (
      prompt && records.prompts.update(prompt.id, { messages: [{ role: 'user', content: '{{text}}!' }] })
    );
  },
  deletePrompt: async ({ records }, pick) => {
    const prompt = pick(await records.prompts.list());
    return prompt && records.prompts.delete(prompt.id);
  },
  save: ({ state }) => state.save(),
  restore: ({ state }) => state.restore().catch(() => {}),
  reset: ({ reset }) => reset(),
} satisfies Record<string, Change>;

export type ChangeName = keyof typeof changes;

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

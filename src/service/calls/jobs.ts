import { limits } from '../../core/util/limits.ts';
import { type DefinedCall, defineCall, type OwnCallTools } from '../gateway/own-calls.ts';

/** A fine-tuning job, made from its checkpoints: the contract has no fields of jobs. */
const toJob = (id: string, { records, now }: OwnCallTools) => {
  const checkpoints = records.checkpoints.list({ fine_tuning_job_id: id, limit: limits.listed });
  const [newest] = checkpoints;
  const oldest = checkpoints.at(-1);
  const name = newest?.fine_tuned_model_checkpoint ?? '';
  const hasEnded = newest !== undefined && !name.includes(':ckpt-step-'); // the model of the last checkpoint has no suffix
  return {
    id,
    object: 'fine_tuning.job',
    created_at: (oldest?.created_at ?? Math.floor(now)) - 600,
    status: hasEnded ? 'succeeded' : 'running',
    finished_at: hasEnded ? newest.created_at : null,
    model: name.split(':')[1] ?? 'gpt-4o-mini',
    fine_tuned_model: hasEnded ? name : null,
    organization_id: 'org-mock',
    training_file: `file-${id}`,
    validation_file: null,
    result_files: hasEnded ? [`file-${id}-results`] : [],
    trained_tokens: hasEnded ? newest.step_number * 1000 : null,
    hyperparameters: { n_epochs: 3, batch_size: 1, learning_rate_multiplier: 1 },
    seed: 1,
    error: null,
    estimated_finish: null,
    integrations: [],
    metadata: null,
  };
};

/** Calls beside the list of checkpoints: list and retrieve fine-tuning jobs. */
export const jobs: readonly DefinedCall[] = [
  defineCall({
    id: 'listJobs',
    method: 'GET',
    path: '/fine_tuning/jobs',
    virtualKey: true,
    summary: 'Lists the fine-tuning jobs.',
    handle: ({ query }, tools) => {
      const page = tools.page(tools.records.jobs.list({ limit: limits.listed }), query);
      return { ...page, data: page.data.map(({ id }) => toJob(id, tools)) };
    },
  }),
  defineCall({
    id: 'retrieveJob',
    method: 'GET',
    path: '/fine_tuning/jobs/{fine_tuning_job_id}',
    virtualKey: true,
    summary: 'Returns a fine-tuning job.',
    handle: ({ params: { fine_tuning_job_id: id } }, tools) =>
      toJob((tools.records.jobs.get(id) ?? tools.refuse(404, `Could not find fine tune: ${id}`)).id, tools),
  }),
];

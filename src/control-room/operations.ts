import type { OperationId } from '../operations/ids.ts';
import type * as all from '../operations/index.ts';

type Operation = (typeof all)[keyof typeof all];

type Routes = {
  readonly [Id in OperationId]: Pick<
    Extract<Operation, { contract: { id: Id } }>['contract'],
    'method' | 'path'
  >;
};

/** The operations without their schemas, for the page. The type requires what the contracts state. */
const routes: Routes = {
  getRateLimitsPolicy: { method: 'GET', path: '/policies/rate-limits/{rateLimitsPolicyId}' },
  listBatches: { method: 'GET', path: '/batches' },
  listCheckpoints: { method: 'GET', path: '/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints' },
  listRuns: { method: 'GET', path: '/threads/{thread_id}/runs' },
  renderPrompt: { method: 'POST', path: '/prompts/{promptId}/render' },
};

export const operations = Object.entries(routes).map(([id, route]) => ({ id, ...route }));

export const operationIds = operations.map(({ id }) => id);

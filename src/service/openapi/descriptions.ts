import { batchStates, runStates } from '../../core/assumptions/record-states.ts';
import type { AssumptionId } from '../../core/assumptions/table.ts';
import type { Documentation } from '../../core/operations/operation.ts';

/** A description, with the assumptions that it depends on. */
export const documented = (description: string, ...assumptions: readonly AssumptionId[]): Documentation => ({
  description,
  ...(assumptions.length > 0 && { 'x-assumptions': assumptions }),
});

const timestamp = documented('A timestamp: seconds since 1970.', 'timestamp-unit');

const policyKeys = documented(
  'The contract does not show the allowed values of key. The mock seeds api_key, workspace_id, organisation_id and metadata.*.',
  'policy-keys',
);

const endOfRuns = documented(
  'An empty string on an empty page. If empty-run-ends is null, it is null there.',
  'empty-run-ends',
);

/**
 * Descriptions of the named schemas, and of fields with a note in the contract's table. The schemas are the contract's: the
 * descriptions tell what other values of assumptions lead to. `propertyNames` is added where the contract states more.
 */
export const schemaDescriptions: Readonly<
  Record<string, Documentation & { readonly propertyNames?: object }>
> = {
  Run: documented(
    'Contract: Resources and their fields, Run. The contract does not state which fields may be null or missing: those that do not apply are null, or missing if absent-values is omitted.',
    'absent-values',
    'run-states',
    'extra-fields',
  ),
  'Run.status': documented(
    `The contract shows 'queued'. The values of the mock, unless run-states is any: ${runStates.join(', ')}.`,
    'run-states',
  ),
  'Run.created_at': timestamp,
  'Run.tools': documented('The contract does not show the shape of its items.'),
  'Run.metadata': documented('The contract does not show its contents.', 'absent-values'),
  'Run.tool_choice': documented("The contract shows 'none'.", 'absent-values'),
  'Run.response_format': documented("The contract shows 'none'.", 'absent-values'),
  Batch: documented(
    'Contract: Resources and their fields, Batch. The contract does not state which fields may be null or missing: those that do not apply are null, or missing if absent-values is omitted.',
    'absent-values',
    'batch-states',
    'extra-fields',
  ),
  'Batch.status': documented(
    `The contract shows 'validating'. The values of the mock, unless batch-states is any: ${batchStates.join(', ')}.`,
    'batch-states',
  ),
  'Batch.created_at': timestamp,
  Checkpoint: documented(
    'Contract: Resources and their fields, Fine-tuning job checkpoint. The contract marks no field as required; the mock always sends all of them.',
  ),
  'Checkpoint.created_at': timestamp,
  'Checkpoint.metrics': documented('Each is a number. Some may be missing.', 'absent-metrics'),
  'RateLimitsPolicy.conditions': policyKeys,
  'RateLimitsPolicy.group_by': policyKeys,
  'RenderedPrompt.data': documented(
    'If hyperparameter-type is passed-through, its fields can have other types.',
    'hyperparameter-type',
  ),
  ChatCompletionRequest: documented(
    'Contract: Resources and their fields, fields of data. The template and the request decide which fields appear. It can be sent as the body of a separate chat-completion call.',
    'unknown-hyperparameter',
    'hyperparameter-type',
  ),
  RenderRequest: {
    description:
      'Contract: Endpoints, 1. Render a prompt. Hyperparameters are at the root beside variables, never under a field named hyperparameters. The contract does not show their allowed ranges.',
    'x-assumptions': [
      'hyperparameter-type',
      'hyperparameter-null',
      'unknown-hyperparameter',
      'hyperparameter-precedence',
      'render-reserved-keys',
    ],
    propertyNames: { not: { const: 'hyperparameters' } },
  },
  'RenderRequest.variables': documented('The values substituted into the template.'),
  'RenderRequest.messages': documented(
    "They replace the template's messages, unless root-messages is template-wins.",
    'root-messages',
    'root-messages-rendered',
  ),
  'RenderRequest.stream': documented('Sent at the root of the body.'),
  RunList: documented('Contract: List envelope. All fields are required.', 'page-ends', 'empty-run-ends'),
  'RunList.first_id': endOfRuns,
  'RunList.last_id': endOfRuns,
  BatchList: documented('Contract: List envelope. first_id and last_id are optional.', 'page-ends'),
  CheckpointList: documented('Contract: List envelope. first_id and last_id may be null.', 'page-ends'),
  Error: documented(
    'The body of every error. The contract shows none (Errors: not shown), so all of it is an assumption.',
    'error-body',
    'check-order',
  ),
};

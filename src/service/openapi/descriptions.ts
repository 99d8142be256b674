import { batchStates, runStates } from '../../core/assumptions/record-states.ts';
import type { Documentation } from '../../core/operations/operation.ts';

type Described = Documentation & { readonly [keyword: string]: unknown };

const timestamp: Described = {
  description: 'A timestamp: seconds since 1970.',
  'x-assumptions': ['timestamp-unit'],
};

const policyKeys: Described = {
  description:
    'The contract does not show the allowed values of key. The mock seeds api_key, workspace_id, organisation_id and metadata.*.',
  'x-assumptions': ['policy-keys'],
};

const endOfRuns: Described = {
  description: 'An empty string on an empty page. If empty-run-ends is null, it is null there.',
  'x-assumptions': ['empty-run-ends'],
};

/**
 * Descriptions of the named schemas, and of fields with a note in the contract's table. The schemas are the contract's: the
 * descriptions tell what other values of assumptions lead to. Further keywords are added where the contract states more.
 */
export const schemaDescriptions: Readonly<Record<string, Described>> = {
  Run: {
    description:
      'Contract: Resources and their fields, Run. The contract does not state which fields may be null or missing: those that do not apply are null, or missing if absent-values is omitted.',
    'x-assumptions': ['absent-values', 'run-states', 'extra-fields'],
  },
  'Run.status': {
    description: `The contract shows 'queued'. The values of the mock, unless run-states is any: ${runStates.join(', ')}.`,
    'x-assumptions': ['run-states'],
  },
  'Run.created_at': timestamp,
  'Run.tools': { description: 'The contract does not show the shape of its items.' },
  'Run.metadata': {
    description: 'The contract does not show its contents.',
    'x-assumptions': ['absent-values'],
  },
  'Run.tool_choice': { description: "The contract shows 'none'.", 'x-assumptions': ['absent-values'] },
  'Run.response_format': { description: "The contract shows 'none'.", 'x-assumptions': ['absent-values'] },
  Batch: {
    description:
      'Contract: Resources and their fields, Batch. The contract does not state which fields may be null or missing: those that do not apply are null, or missing if absent-values is omitted.',
    'x-assumptions': ['absent-values', 'batch-states', 'extra-fields'],
  },
  'Batch.status': {
    description: `The contract shows 'validating'. The values of the mock, unless batch-states is any: ${batchStates.join(', ')}.`,
    'x-assumptions': ['batch-states'],
  },
  'Batch.created_at': timestamp,
  Checkpoint: {
    description:
      'Contract: Resources and their fields, Fine-tuning job checkpoint. The contract marks no field as required; the mock always sends all of them.',
  },
  'Checkpoint.created_at': timestamp,
  'Checkpoint.metrics': {
    description: 'Each is a number. Some may be missing.',
    'x-assumptions': ['absent-metrics'],
  },
  'RateLimitsPolicy.conditions': policyKeys,
  'RateLimitsPolicy.group_by': policyKeys,
  'RenderedPrompt.data': {
    description: 'If hyperparameter-type is passed-through, its fields can have other types.',
    'x-assumptions': ['hyperparameter-type'],
  },
  ChatCompletionRequest: {
    description:
      'Contract: Resources and their fields, fields of data. The template and the request decide which fields appear. It can be sent as the body of a separate chat-completion call.',
    'x-assumptions': ['unknown-hyperparameter', 'hyperparameter-type'],
  },
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
  'RenderRequest.variables': { description: 'The values substituted into the template.' },
  'RenderRequest.messages': {
    description: "They replace the template's messages, unless root-messages is template-wins.",
    'x-assumptions': ['root-messages', 'root-messages-rendered'],
  },
  'RenderRequest.stream': { description: 'Sent at the root of the body.' },
  RunList: {
    description: 'Contract: List envelope. All fields are required.',
    'x-assumptions': ['page-ends', 'empty-run-ends'],
  },
  'RunList.first_id': endOfRuns,
  'RunList.last_id': endOfRuns,
  BatchList: {
    description: 'Contract: List envelope. first_id and last_id are optional.',
    'x-assumptions': ['page-ends'],
  },
  CheckpointList: {
    description: 'Contract: List envelope. first_id and last_id may be null.',
    'x-assumptions': ['page-ends'],
  },
  Error: {
    description:
      'The body of every error. The contract shows none (Errors: not shown), so all of it is an assumption.',
    'x-assumptions': ['error-body', 'check-order'],
  },
};

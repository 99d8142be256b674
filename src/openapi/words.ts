import type { Documentation } from '../protocol/operation-docs.ts';

/** Of the named schemas, and of fields of them where the contract's table has a note. */
export const schemaWords: Readonly<Record<string, Documentation>> = {
  Run: {
    description:
      'Contract: Resources and their fields, Run. Which fields may be null or missing is not stated there.',
    'x-assumptions': ['absent-values', 'run-states'],
  },
  'Run.status': {
    description:
      "'queued' is a shown value. The mock has nine: queued, in_progress, requires_action, cancelling, cancelled, failed, completed, incomplete, expired.",
    'x-assumptions': ['run-states'],
  },
  'Run.created_at': {
    description: 'A timestamp: seconds since 1970.',
    'x-assumptions': ['timestamp-unit'],
  },
  'Run.tools': { description: 'The shape of its items is not shown.' },
  'Run.metadata': { description: 'Its contents are not shown.', 'x-assumptions': ['absent-values'] },
  'Run.tool_choice': { description: "'none' is a shown value.", 'x-assumptions': ['absent-values'] },
  'Run.response_format': { description: "'none' is a shown value.", 'x-assumptions': ['absent-values'] },
  Batch: {
    description:
      'Contract: Resources and their fields, Batch. Which fields may be null or missing is not stated there.',
    'x-assumptions': ['absent-values', 'batch-states'],
  },
  'Batch.status': {
    description:
      "'validating' is a shown value. The mock has eight: validating, in_progress, finalizing, completed, failed, expired, cancelling, cancelled.",
    'x-assumptions': ['batch-states'],
  },
  'Batch.created_at': {
    description: 'A timestamp: seconds since 1970.',
    'x-assumptions': ['timestamp-unit'],
  },
  Checkpoint: { description: 'Contract: Resources and their fields, Fine-tuning job checkpoint.' },
  'Checkpoint.created_at': {
    description: 'A timestamp: seconds since 1970.',
    'x-assumptions': ['timestamp-unit'],
  },
  'Checkpoint.metrics': {
    description: 'Each is a number. Not all need be measured.',
    'x-assumptions': ['absent-metrics'],
  },
  RateLimitsPolicy: { description: 'Contract: Resources and their fields, Rate-limits policy.' },
  'RateLimitsPolicy.value': { description: 'The limit.' },
  'RateLimitsPolicy.conditions': {
    description: 'The allowed values of key are not shown.',
    'x-assumptions': ['policy-keys'],
  },
  'RateLimitsPolicy.group_by': {
    description: 'The allowed values of key are not shown.',
    'x-assumptions': ['policy-keys'],
  },
  RenderedPrompt: { description: 'Contract: Resources and their fields, Rendered prompt response.' },
  'RenderedPrompt.success': { description: 'true when the render succeeded.' },
  ChatCompletionRequest: {
    description:
      'Contract: Resources and their fields, fields of data. The template and the request decide which appear; it is fit to be the body of a separate chat-completion call.',
    'x-assumptions': ['unknown-hyperparameter', 'hyperparameter-type'],
  },
  RenderRequest: {
    description:
      'Contract: Endpoints, 1. Render a prompt. Hyperparameters stand at the root beside variables, never under a field named hyperparameters. Their allowed ranges are not shown.',
    'x-assumptions': [
      'hyperparameter-type',
      'hyperparameter-null',
      'unknown-hyperparameter',
      'hyperparameter-precedence',
      'render-reserved-keys',
    ],
  },
  'RenderRequest.variables': { description: 'The values substituted into the template.' },
  'RenderRequest.messages': {
    description: "Take the place of the template's.",
    'x-assumptions': ['root-messages', 'root-messages-rendered'],
  },
  'RenderRequest.stream': { description: 'Sent at root level.' },
  RunList: {
    description: 'Contract: List envelope; all five fields are required.',
    'x-assumptions': ['page-ends', 'empty-run-ends'],
  },
  BatchList: {
    description: 'Contract: List envelope; first_id and last_id are optional.',
    'x-assumptions': ['page-ends'],
  },
  CheckpointList: {
    description: 'Contract: List envelope; first_id and last_id may be null.',
    'x-assumptions': ['page-ends'],
  },
  Error: {
    description:
      'The body of every refusal. The contract shows none (Errors: not shown): all of it is an assumption.',
    'x-assumptions': ['error-body', 'check-order'],
  },
};

import {
  type Hide,
  hideAll,
  hideArguments,
  hideEach,
  hideFields,
  hideId,
  hideName,
  keepForm,
  keepKey,
  keepModel,
  keepOneOf,
  keepWord,
} from './hide.ts';
import { hideChoice, hideFunction, hideSchema, hideTools } from './hide-tools.ts';

const dateTime = keepForm(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/);

const formats = ['text', 'json_object', 'json_schema'];

/** How each field of a record is hidden. Numbers are always kept. */
export const hideRun = hideFields({
  id: hideId('run_'),
  object: keepOneOf('thread.run'),
  thread_id: hideId('thread_'),
  assistant_id: hideId('asst_'),
  status: keepWord,
  required_action: hideFields({
    type: keepOneOf('submit_tool_outputs'),
    submit_tool_outputs: hideFields({
      tool_calls: hideEach(
        hideFields({
          id: hideId('call_'),
          type: keepOneOf('function'),
          function: hideFields({ name: hideName('function'), arguments: hideArguments }),
        }),
      ),
    }),
  }),
  last_error: hideFields({ code: keepWord }),
  incomplete_details: hideFields({ reason: keepOneOf('max_completion_tokens', 'max_prompt_tokens') }),
  model: keepModel,
  tools: hideTools,
  truncation_strategy: hideFields({ type: keepOneOf('auto', 'last_messages', 'disabled') }),
  tool_choice: hideChoice,
  response_format: keepOneOf('none', 'auto', ...formats),
});

export const hideBatch = hideFields({
  id: hideId('batch_'),
  object: keepOneOf('batch'),
  endpoint: keepForm(/^\/v1(\/[a-z_]+)+$/),
  input_file_id: hideId('file-'),
  output_file_id: hideId('file-'),
  error_file_id: hideId('file-'),
  completion_window: keepForm(/^\d+[a-z]$/),
  status: keepWord,
  errors: hideFields({ object: keepOneOf('list'), data: hideEach(hideFields({ code: keepWord })) }),
});

export const hideCheckpoint = hideFields({
  id: hideId('ftckpt_'),
  object: keepOneOf('fine_tuning.job.checkpoint'),
  fine_tuned_model_checkpoint: keepModel,
  fine_tuning_job_id: hideId('ftjob-'),
});

const hideCondition: Hide = (value, given) => {
  const { key } = Object(value);
  return hideFields({ key: keepKey, value: key === 'model' ? keepModel : hideAll })(value, given);
};

export const hidePolicy = hideFields({
  id: hideId(''),
  type: keepOneOf('requests', 'tokens'),
  unit: keepOneOf('rpm', 'rph', 'rpd'),
  status: keepOneOf('active', 'archived'),
  object: keepOneOf('policy_rate_limits'),
  workspace_id: hideId(''),
  organisation_id: hideId(''),
  created_at: dateTime,
  last_updated_at: dateTime,
  conditions: hideEach(hideCondition),
  group_by: hideEach(hideFields({ key: keepKey })),
});

/** The rendered request body of a prompt. */
export const hideRendered = hideFields({
  messages: hideEach(
    hideFields({ role: keepOneOf('system', 'developer', 'user', 'assistant', 'tool', 'function') }),
  ),
  model: keepModel,
  response_format: hideFields({
    type: keepOneOf(...formats),
    json_schema: hideFields({ name: hideName('schema'), schema: hideSchema }),
  }),
  thinking: hideFields({ type: keepOneOf('enabled', 'disabled') }),
  tools: hideTools,
  tool_choice: hideChoice,
  function_call: hideChoice,
  functions: hideEach(hideFunction),
  reasoning_effort: keepOneOf('none', 'minimal', 'low', 'medium', 'high'),
  service_tier: keepOneOf('auto', 'default', 'flex', 'priority'),
});

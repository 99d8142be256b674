import type { Run } from '../../core/operations/list-runs/types.ts';
import { type DefinedCall, defineCall, type OwnCallTools } from '../gateway/own-calls.ts';
import { pick, requireTexts } from './fields.ts';

const path = '/threads/{thread_id}/runs';

interface RunParams {
  readonly thread_id: string;
  readonly run_id: string;
}

const findRun = ({ thread_id, run_id }: RunParams, { records, refuse }: OwnCallTools): Run => {
  const run = records.runs.get(run_id);
  return run?.thread_id === thread_id ? run : refuse(404, `No run found with id '${run_id}'.`);
};

/** The fields of a run that a client chooses. */
const settings =
  'model instructions tools metadata temperature top_p max_prompt_tokens max_completion_tokens truncation_strategy tool_choice parallel_tool_calls response_format';

/** The headers that calls of runs take, as the list of runs does. */
const headers = { virtualKey: true, betaHeader: true } as const;

/** Calls beside the list of runs: create, retrieve and cancel a run, and submit the outputs of its tools. */
export const runs: readonly DefinedCall[] = [
  defineCall({
    id: 'createRun',
    method: 'POST',
    path,
    ...headers,
    summary: 'Creates a run. It is queued, then in progress, and ends completed, by the clock of the mock.',
    handle: ({ params: { thread_id }, body }, { records, refuse }) => {
      const { assistant_id } = requireTexts(body, ['assistant_id'], refuse);
      records.threads.get(thread_id) ?? refuse(404, `No thread found with id '${thread_id}'.`);
      if (body.stream === true)
        refuse(400, 'A run of the mock has no stream of events: send no stream: true.');
      return records.runs.create({ thread_id, assistant_id, ...pick(body, settings.split(' ')) });
    },
  }),
  defineCall({
    id: 'retrieveRun',
    method: 'GET',
    path: `${path}/{run_id}`,
    ...headers,
    summary: 'Returns a run.',
    handle: ({ params }, tools) => findRun(params, tools),
  }),
  defineCall({
    id: 'cancelRun',
    method: 'POST',
    path: `${path}/{run_id}/cancel`,
    ...headers,
    summary: 'Cancels a run that has not ended.',
    handle: ({ params }, tools) => {
      const { id, status } = findRun(params, tools);
      if (!['queued', 'in_progress', 'requires_action'].includes(status))
        tools.refuse(400, `Cannot cancel run with status '${status}'.`);
      return tools.records.runs.setStatus(id, 'cancelling');
    },
  }),
  defineCall({
    id: 'submitToolOutputs',
    method: 'POST',
    path: `${path}/{run_id}/submit_tool_outputs`,
    ...headers,
    summary: 'Takes the outputs of the tool calls that a run waits for. The run is queued again.',
    handle: ({ params, body }, tools) => {
      const { id, status, required_action } = findRun(params, tools);
      if (!required_action || status !== 'requires_action')
        return tools.refuse(400, `Runs in status "${status}" do not accept tool outputs.`);
      const outputs: readonly unknown[] = Array.isArray(body.tool_outputs) ? body.tool_outputs : [];
      const submitted = outputs.map((output) => String(Object(output).tool_call_id));
      const expected = required_action.submit_tool_outputs.tool_calls.map((call) => call.id);
      if (submitted.toSorted().join() !== expected.toSorted().join())
        tools.refuse(
          400,
          `Expected tool outputs for call_ids [${expected.join(', ')}], got [${submitted.join(', ')}].`,
        );
      return tools.records.runs.setStatus(id, 'queued');
    },
  }),
];

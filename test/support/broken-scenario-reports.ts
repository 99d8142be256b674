import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import { assumptions } from '../../src/core/assumptions/table.ts';
import { effectKinds } from '../../src/core/faults/fault-kinds.ts';
import { type AnyOperation, isContractList } from '../../src/core/operations/operation.ts';
import { kinds, operations } from '../../src/core/scenario/scenario-schema.ts';

const namesOf = (some: readonly AnyOperation[]): string => some.map(({ id }) => id).join(', ');

const ids = namesOf(operations);
const anyOperation = operations.map(({ id }) => `"${id}"`).join(' or ');
const lists = namesOf(operations.filter(isContractList));
const sections = [...new Set(kinds.map(({ section }) => section.name))].join(', ');
const assumptionIds = Object.keys(assumptions);

/** What is told of each file of `broken-scenarios/`, line by line. */
export const reports: Readonly<Record<string, string>> = {
  'bad-json.json': `
bad-json.json:4:3 not valid JSON: Comma ',' expected after value but got '"'`,
  'bad-mustache.yaml': `
bad-mustache.yaml:7:25 prompts.prompt_a.messages[1].content: the section {{#name}} is not closed by {{/name}}
bad-mustache.yaml:12:43 prompts.prompt_b.versions[0].messages[0].content: the tag {{name is not closed by }}`,
  'billion-laughs.yaml': `
billion-laughs.yaml:1:1 not valid YAML: Excessive alias count indicates a resource exhaustion attack`,
  'broken-fixture.yaml': `
fixtures/prompts/prompt_unclosed.yaml:3:14 not valid YAML: the quote that starts here is not closed`,
  'duplicate-ids.yaml': `
duplicate-ids.yaml:6:11 threads.thread_a.records[2].id: "run_a" is the id of another record
duplicate-ids.yaml:8:17 threads.thread_b.records[0].id: "run_b" is already under "thread_a"
duplicate-ids.yaml:12:9 policies.records[1].id: "AAAAAAAA-1111-4111-8111-111111111111" is the id of another record`,
  'extends-broken.yaml': `
unclosed-quote.yaml:1:14 not valid YAML: the quote that starts here is not closed`,
  'extends-cycle-a.yaml': `
extends-cycle-a.yaml:1:1 extends: the scenario extends itself: extends-cycle-a > extends-cycle-b > extends-cycle-a`,
  'extends-cycle-b.yaml': `
extends-cycle-b.yaml:1:1 extends: the scenario extends itself: extends-cycle-b > extends-cycle-a > extends-cycle-b`,
  'faults.yaml': `
faults.yaml:2:5 faults[0]: Failed to read the fault "status: 500": unknown operation "status". Use ${ids}, or * for any. A call of your own needs the option calls.
faults.yaml:3:5 faults[1]: Failed to read the fault "listRun#3: reset": unknown operation "listRun". Did you mean "listRuns"? Use ${ids}, or * for any. A call of your own needs the option calls.
faults.yaml:4:5 faults[2]: Failed to read the fault "listRuns#3 reset": the colon is missing: write OPERATION: KIND.
faults.yaml:5:5 faults[3]: Failed to read the fault "listRuns: resett": unknown kind "resett". Did you mean "reset"? Use an error status such as 503, or ${effectKinds.join(', ')}.
faults.yaml:6:7 faults[4].fault: Failed to read the fault "listRuns: 200": invalid status "200": an error status is from 400 to 599; for other statuses use reply.
faults.yaml:6:31 faults[4].hit: unknown key. Did you mean "hits"?
faults.yaml:7:5 faults[5]: Failed to read the fault "renderPrompt: empty-page": empty-page works only with lists: ${lists}, or * for all of them.
faults.yaml:8:5 faults[6]: Failed to read the fault "listRuns#0: 503": invalid calls "#0": write #3, #2-4 or #5-, counted from 1.
faults.yaml:9:5 faults[7]: Failed to read the fault "listRuns shares=2: 503": unknown condition "shares=2". Did you mean "share=…"? Use share, every, times, until, for, path, query.NAME, header.NAME.
faults.yaml:10:5 faults[8]: Failed to read the fault "listRuns share=2: 503": invalid share=2: write a share from 0% to 100%, or from 0 to 1.
faults.yaml:11:5 faults[9]: Failed to read the fault "listRuns: delay 20m": delay takes a time such as 2s, or a range such as 500ms..2s, of at most 600s.
faults.yaml:12:5 faults[10]: Failed to read the fault "listRuns: reply body={": the value of body is not valid JSON: {.
faults.yaml:13:5 faults[11]: expected a string or an object, but found 7
faults.yaml:14:1 quotas: expected a boolean or an object, but found "yes please"`,
  'impossible-timestamps.yaml': `
impossible-timestamps.yaml:4:22 threads.thread_a.records[0].created_at: -1 is not a time from 1970 to 9999, in seconds
impossible-timestamps.yaml:5:22 threads.thread_a.records[1].completed_at: 1768478400000 is not a time from 1970 to 9999, in seconds
impossible-timestamps.yaml:6:22 threads.thread_a.records[2].started_at: expected a number, but found "2026-01-15T12:00:00Z"
impossible-timestamps.yaml:9:22 batches.records[0].created_at: 253402300800 is not a time from 1970 to 9999, in seconds
impossible-timestamps.yaml:13:25 jobs.ftjob_a.records[0].created_at: expected an integer, but found 1.5
impossible-timestamps.yaml:16:51 policies.records[0].created_at: "2026-13-01T00:00:00Z" is not a date-time in UTC, such as 2026-01-15T12:00:00Z
impossible-timestamps.yaml:16:85 policies.records[0].last_updated_at: expected a string, but found 1768478400`,
  'local-date.yaml': `
local-date.yaml:2:3 clock.start: "2026-01-15" is not a date-time in UTC, such as 2026-01-15T12:00:00Z
local-date.yaml:3:3 clock.now: "2026-01-15T12:00:00+02:00" is not a date-time in UTC, such as 2026-01-15T12:00:00Z`,
  'misspelt-state-of-record.yaml': `
misspelt-state-of-record.yaml:4:24 threads.thread_a.records[0].status: unknown status "faild". Did you mean "failed"? Use one of: ${runStates.join(', ')}. To allow any name, set the assumption run-states to "any"
misspelt-state-of-record.yaml:6:26 batches.records[0].status: unknown status "canceled". Did you mean "cancelled"? Use one of: ${batchStates.join(', ')}. To allow any name, set the assumption batch-states to "any"
misspelt-state-of-record.yaml:6:59 batches.records[1].status: unknown status "paused". Did you mean "failed"? Use one of: ${batchStates.join(', ')}. To allow any name, set the assumption batch-states to "any"`,
  'mistaken-fixture.yaml': `
fixtures/prompts/prompt_mistaken.yaml:1:1 missing: expected \`messages\`, or \`string\` with their JSON text
fixtures/prompts/prompt_mistaken.yaml:3:1 message: unknown key. Did you mean "messages"?`,
  'more-made-than-checkpoints.yaml': `
more-made-than-checkpoints.yaml:2:30 jobs.ftjob_a.made: 5 is more than the checkpoints of the training`,
  'negative-counts.yaml': `
negative-counts.yaml:2:30 jobs.ftjob_a.made: -5 is too small: at least 0
negative-counts.yaml:3:1 seed: -1 is too small: at least 0
negative-counts.yaml:4:1 batches: -2 is too small: at least 0
negative-counts.yaml:6:15 threads.thread_a.runs: -3 is too small: at least 0
negative-counts.yaml:6:25 threads.thread_a.ties: 0 is too small: at least 1
negative-counts.yaml:7:23 threads.thread_b.runs.queued: -4 is too small: at least 0
negative-counts.yaml:8:13 policies.seeded: -6 is too small: at least 0
negative-counts.yaml:9:10 clock.speed: -7 is too small: at least 0`,
  'prompt-without-messages.yaml': `
prompt-without-messages.yaml:2:3 prompts.prompt_a: missing: expected \`messages\`, or \`string\` with their JSON text
prompt-without-messages.yaml:3:15 prompts.prompt_b.messages: an array of 0 is too short: at least 1
prompt-without-messages.yaml:4:15 prompts.prompt_c.versions: an array of 0 is too short: at least 1
prompt-without-messages.yaml:5:3 prompts.prompt_d: missing: expected \`messages\`, or \`string\` with their JSON text
prompt-without-messages.yaml:5:15 prompts.prompt_d.message: unknown key. Did you mean "messages"?`,
  'record-of-another-owner.yaml': `
record-of-another-owner.yaml:4:22 threads.thread_a.records[0].thread_id: expected "thread_a", under which the record is, but found "thread_b"
record-of-another-owner.yaml:8:25 jobs.ftjob_a.records[0].fine_tuning_job_id: expected "ftjob_a", under which the record is, but found "ftjob_b"`,
  'record-that-breaks-the-contract.yaml': `
record-that-breaks-the-contract.yaml:4:22 threads.thread_a.records[0].object: expected "thread.run", but found "run". Did you mean "thread.run"?
record-that-breaks-the-contract.yaml:4:35 threads.thread_a.records[0].model: expected a string, but found null
record-that-breaks-the-contract.yaml:4:48 threads.thread_a.records[0].temperature: expected a number, but found "hot"
record-that-breaks-the-contract.yaml:4:66 threads.thread_a.records[0].usage.completion_tokens: missing: expected a number
record-that-breaks-the-contract.yaml:4:66 threads.thread_a.records[0].usage.prompt_tokens: missing: expected a number
record-that-breaks-the-contract.yaml:7:22 batches.records[0].object: expected "batch", but found "batches". Did you mean "batch"?
record-that-breaks-the-contract.yaml:7:57 batches.records[0].request_counts.total: expected a number, but found "many"
record-that-breaks-the-contract.yaml:11:25 jobs.ftjob_a.records[0].step_number: expected a number, but found "first"
record-that-breaks-the-contract.yaml:11:56 jobs.ftjob_a.records[0].metrics.train_loss: expected a number, but found "low"
record-that-breaks-the-contract.yaml:14:51 policies.records[0].type: expected "requests" or "tokens", but found "request". Did you mean "requests"?
record-that-breaks-the-contract.yaml:14:66 policies.records[0].unit: expected "rpm" or "rph" or "rpd", but found "rps". Did you mean "rpm"?
record-that-breaks-the-contract.yaml:14:77 policies.records[0].value: 0 is too small: more than 0`,
  'several-mistakes.yaml': `
several-mistakes.yaml:2:1 extends: unknown scenario "defualt". Did you mean "default"?
several-mistakes.yaml:3:1 seed: expected a number, but found "seven"
several-mistakes.yaml:4:1 sed: unknown key. Did you mean "seed"?
several-mistakes.yaml:5:10 clock.start: "noon" is not a date-time in UTC, such as 2026-01-15T12:00:00Z
several-mistakes.yaml:7:23 threads.thread_a.runs.queud: unknown key. Did you mean "queued"?
several-mistakes.yaml:8:47 threads.thread_b.records[0].thread_id: expected "thread_b", under which the record is, but found "thread_a"
several-mistakes.yaml:8:87 threads.thread_b.records[2].id: "run_b" is the id of another record
several-mistakes.yaml:10:3 prompts.prompt_a: unknown fixture "prompt_wellcome": put a file of this name into fixtures/prompts/ in the folder of the scenario. Did you mean "prompt_welcome"?
several-mistakes.yaml:12:22 keys.limited.key_a[0]: expected ${anyOperation}, but found "listRun". Did you mean "listRuns"?
several-mistakes.yaml:13:16 assumptions.unknown-thread: expected "404" or "empty-list", but found "405". Did you mean "404"?`,
  'transitions.yaml': `
transitions.yaml:6:38 threads.thread_a.records[0].transitions[0].set.status: unknown status "faild". Did you mean "failed"? Use one of: ${runStates.join(', ')}. To allow any name, set the assumption run-states to "any"
transitions.yaml:7:15 threads.thread_a.records[0].transitions[1].at: expected a number, but found "soon"
transitions.yaml:9:60 threads.thread_b.records[0].transitions[0].set.id: "run_other" is not allowed here: this field never changes
transitions.yaml:9:75 threads.thread_b.records[0].transitions[0].set.thread_id: "thread_a" is not allowed here: this field never changes
transitions.yaml:15:13 batches.records[0].transitions[1].at: 1768478500 is earlier than the transition above it
transitions.yaml:15:36 batches.records[0].transitions[1].set.created_at: 1 is not allowed here: this field never changes
transitions.yaml:15:51 batches.records[0].transitions[1].set.completed_at: -1 is not a time from 1970 to 9999, in seconds
transitions.yaml:16:13 batches.records[0].transitions[2].at: 253402300800 is not a time from 1970 to 9999, in seconds
transitions.yaml:16:38 batches.records[0].transitions[2].set.status: unknown status "done". Use one of: ${batchStates.join(', ')}. To allow any name, set the assumption batch-states to "any"`,
  'unclosed-quote.yaml': `
unclosed-quote.yaml:1:14 not valid YAML: the quote that starts here is not closed`,
  'unknown-key-of-no-kind.yaml': `
unknown-key-of-no-kind.yaml:1:1 xyzzyxyzzy: unknown key. Use one of: description, seed, clock, requests, made, keys, assumptions, ${sections}, own, faults, quotas, $schema, extends
unknown-key-of-no-kind.yaml:2:10 clock.xyzzyxyzzy: unknown key. Use one of: start, now, speed
unknown-key-of-no-kind.yaml:3:12 batches.xyzzyxyzzy: unknown key. Use one of: ${batchStates.join(', ')}, seeded, ties, records, deleted
unknown-key-of-no-kind.yaml:5:23 threads.thread_a.runs.xyzzyxyzzy: unknown key. Use one of: ${runStates.join(', ')}
unknown-key-of-no-kind.yaml:9:25 jobs.ftjob_a.records[0].xyzzyxyzzy: unknown key. Use one of: id, created_at, fine_tuned_model_checkpoint, step_number, metrics, fine_tuning_job_id, object. To keep it, set the assumption extra-fields to "kept"
unknown-key-of-no-kind.yaml:11:31 faults[0].xyzzyxyzzy: unknown key. Use one of: fault, id, began, calls, hits, passed, idle, off
unknown-key-of-no-kind.yaml:12:16 assumptions.xyzzyxyzzy: unknown key. Use one of: ${assumptionIds.slice(0, 20).join(', ')}, and ${assumptionIds.length - 20} more`,
  'unquoted-choice.yaml': `
unquoted-choice.yaml:2:3 assumptions.unknown-cursor: expected "400" or "404" or "empty-page", but found 404. Put it in quotes`,
  'wrong-types.yaml': `
wrong-types.yaml:1:1 description: expected a string, but found 12
wrong-types.yaml:2:1 seed: expected a number, but found "seven"
wrong-types.yaml:3:1 clock: expected an object, but found "2026-01-15T12:00:00Z"
wrong-types.yaml:4:1 requests: expected an integer, but found 1.5
wrong-types.yaml:5:1 made: expected a number, but found an array of 1
wrong-types.yaml:6:1 keys: expected an object, but found an array of 1
wrong-types.yaml:7:1 assumptions: expected an object, but found "lenient"
wrong-types.yaml:8:1 threads: expected an object, but found 3
wrong-types.yaml:9:1 batches: expected a number or an object, but found "many"
wrong-types.yaml:10:1 jobs: expected an object, but found an array of 1
wrong-types.yaml:11:1 policies: expected an object, but found 6
wrong-types.yaml:12:1 prompts: expected an object, but found an array of 1`,
};

import { mapValues } from '../util/mapping.ts';
import { batchStates, runStates } from './record-states.ts';

/** A documented decision of the mock where the contract says nothing. */
export interface Assumption {
  /** The section of the contract that leaves it open. */
  readonly section: string;
  /** The question that it decides, in one sentence. */
  readonly description: string;
  /** The values that it can have, each with its meaning. The first one is the default. */
  readonly choices: readonly (readonly [value: string, meaning: string])[];
  /** If true, it applies to every reply, so replies are not marked with it. */
  readonly standing?: true;
}

type Choice<Value extends string> = readonly [value: Value, meaning: string];

interface Entry<Value extends string = string> extends Omit<Assumption, 'section'> {
  readonly choices: readonly [Choice<Value>, ...Choice<Value>[]];
}

/**
 * An assumption, with the meaning of each of its values.
 *
 * @param usual the default. Default: the first value; JavaScript puts values that are numbers first
 */
const marked = <const Meanings extends Readonly<Record<string, string>>>(
  description: string,
  meanings: Meanings,
  usual?: keyof Meanings & string,
): Entry<keyof Meanings & string> => {
  const choices = Object.entries(meanings).sort(([a], [b]) => Number(b === usual) - Number(a === usual));
  return { description, choices: choices as unknown as [Choice<keyof Meanings & string>] }; // each has a value
};

/** A standing assumption: it applies to every reply. */
const standing: typeof marked = (...parts) => ({ ...marked(...parts), standing: true });

/** The assumptions of one section of the contract. */
const inSection = <Entries extends Readonly<Record<string, Entry>>>(section: string, entries: Entries) =>
  mapValues(entries, (entry) => ({ section, ...entry })) as {
    readonly [Id in keyof Entries]: Entries[Id] & Assumption; // `mapValues` keeps the names
  };

/** All assumptions, by id. Code never decides anything else where the contract says nothing. */
export const assumptions = {
  ...inSection('Authentication', {
    'api-keys': standing('The accepted values of x-gateway-api-key.', {
      any: 'any that is not empty',
      listed: 'those that the scenario or the options list',
    }),
    'missing-api-key': marked('A call without x-gateway-api-key.', { '401': 'code 03' }),
    'unknown-api-key': marked('An API key that is not listed, if keys are listed.', { '401': 'code 03' }),
    'expired-api-key': marked('An API key that the scenario marks as expired.', { '401': 'code 01' }),
    'exhausted-api-key': marked('An API key whose budget the scenario marks as used up.', {
      '412': 'code 04',
    }),
    'forbidden-api-key': marked('An API key that may only call other operations.', { '403': 'code 033' }),
    'missing-virtual-key': marked('A list call without x-gateway-virtual-key.', {
      '400': 'names the header',
      ignored: 'as if it were there',
      'stand-in': "x-gateway-provider or x-gateway-config may stand in for it, as today's clients send them",
    }),
    'unknown-virtual-key': marked(
      'A list call whose virtual key is not listed, if virtual keys are listed.',
      { '400': 'names the key', ignored: 'accepted' },
    ),
    bearer: standing('Authorization: Bearer, which real clients always send.', {
      ignored: 'not read',
      'api-key': 'the API key of a call without x-gateway-api-key, as on the real gateway',
    }),
    cors: standing('Calls by web pages of other origins.', {
      open: 'allowed',
      refused:
        'a preflight gets 401, and replies have no CORS headers, as from a real gateway that is not configured for CORS',
    }),
  }),
  ...inSection('Versioning', {
    'beta-header': standing('The header OpenAI-Beta or Vendor-Beta with assistants=v2 in the list of runs.', {
      accepted: 'optional',
      required: 'without it, 400, code invalid_beta',
    }),
  }),
  ...inSection('Events', {
    'request-id': standing('x-request-id and x-gateway-trace-id of each reply.', {
      seeded:
        'the same calls get the same ids; a trace id of the request (up to 256 printable ASCII characters) is returned',
    }),
  }),
  ...inSection('None: sessions are a feature of the mock', {
    'session-name': marked('An invalid session name.', { '400': '400' }),
    'session-required': marked('A call without a session, if sessions are required.', { '400': '400' }),
    'session-removed': marked('A call to a session that was removed because there were too many.', {
      '410': 'until sessions.create creates it again',
    }),
    'session-lost': marked(
      'A call to a session whose last change the state directory lacks, since the server was killed or the file is damaged.',
      { '410': 'until sessions.create creates it again' },
    ),
  }),
  ...inSection('Errors', {
    'check-order': standing('Which error wins if several things are wrong.', {
      'routing-first':
        'routing (404, 405), fault, API key, virtual key, beta header, parameters, body, existence, quota; in an own call, its schema and handler',
    }),
    'error-body': marked('The body of all errors.', {
      combined:
        'success, status, message, error and data, so that each family of clients finds the fields it reads',
    }),
    'unknown-thread': marked('Runs of an unknown thread.', { '404': '404', 'empty-list': 'an empty list' }),
    'unknown-job': marked('Checkpoints of a job that does not exist.', {
      '404': 'param fine_tune_id, code fine_tune_not_found',
      'empty-list': 'an empty list',
    }),
    'unknown-prompt': marked('A prompt, or a version, that does not exist.', { '404': '404' }),
    'unknown-policy': marked('A policy that does not exist, or has another status.', { '404': '404' }),
    'policy-id-format': marked('A policy id that is not uuid-shaped.', { '400': 'param rateLimitsPolicyId' }),
    'policy-status-value': marked('A status other than active and archived.', {
      '400': 'param status, code invalid_value',
    }),
    'limit-too-large': marked('A limit above 100.', { '400': 'param limit, code integer_above_max_value' }),
    'limit-too-small': marked('A limit below 1.', {
      '400': 'param limit, code integer_below_min_value',
      'empty-page': 'an empty page for 0, as from the real service; 400 below',
    }),
    'limit-format': marked('A limit that is not an integer in the digits 0 to 9.', {
      '400': 'param limit, code invalid_type',
    }),
    'order-value': marked('An order other than asc and desc, in lower case.', {
      '400': 'param order, code invalid_value',
    }),
    'unknown-cursor': marked(
      'A cursor, after or before, that names no record of the list.',
      { '404': 'param after or before', '400': 'param after or before', 'empty-page': 'an empty page' },
      '404',
    ),
    'path-encoding': marked('A path parameter with invalid percent-encoding.', { '400': 'param names it' }),
    'body-format': marked(
      'A body that is not a JSON object in UTF-8, is nested more than 500 levels deep, or has a content encoding.',
      { '400': '400' },
    ),
    'body-type': marked('A content type that is not JSON.', { '415': '415' }),
    'variables-required': marked('A render without an object variables.', { '400': 'param variables' }),
    'nested-hyperparameters': marked('A render with a field named hyperparameters.', {
      '400': 'says that they belong at the root',
    }),
    'hyperparameter-type': marked("A hyperparameter of another JSON type than the contract's.", {
      '400': 'param is its path',
      'passed-through': 'returned, as by a lenient gateway',
    }),
    'unknown-path': marked('A path that no operation has.', {
      '404': 'names the nearest operation and the difference',
    }),
    'method-not-served': marked('Another method than that of the operation.', { '405': 'with Allow' }),
    'quota-exceeded': marked('A call beyond an enforced policy, which does not count.', {
      '429': 'code rate_limit_exceeded',
    }),
    'retry-after-cap': marked(
      'The retry-after of a call beyond a policy; x-ratelimit-reset-* always has the true time.',
      { '1s': 'at most 1 second, since real clients wait that long', none: 'the true time' },
    ),
  }),
  ...inSection('Limits', {
    'checkpoint-limit-bounds': marked('The bounds of limit in the list of checkpoints.', {
      'at-least-1': 'no maximum',
      '1-to-100': '1 to 100',
    }),
    'body-size': marked('A body of more than 10 MB (10,000,000 bytes).', { '413': '413' }),
    'quota-window': standing('How enforced rate-limits policies count.', {
      fixed:
        'per group, in windows of one minute, hour or day of the clock; calls that are refused or answered by a fault do not count; a render costs one token per 4 characters of its messages',
    }),
    'quota-headers': standing('Whether replies say how much of an enforced policy is left.', {
      sent: 'in x-ratelimit-*, and a refusal in retry-after',
      none: 'no; a refusal has the type rate_limits_policy_exhaust_error, as from the real gateway',
    }),
    'quota-scope': standing('Which calls enforced policies limit.', {
      all: 'all: lists, renders, look-ups of policies and your own calls',
      lists: 'lists and your own calls, since the real gateway limits only what it forwards',
    }),
    'render-size': marked(
      'A render of more than 10,000,000 steps and characters, or more than 500 nested sections and partials.',
      { '400': '400' },
    ),
  }),
  ...inSection('Endpoints', {
    'blank-parameter': standing('A query parameter without a value, which real clients send for null.', {
      absent: 'treated as absent',
    }),
    'repeated-parameter': marked('A query parameter of the contract, sent twice.', {
      '400': 'param names it',
    }),
    'unknown-parameter': standing(
      'A query parameter that the contract does not have.',
      { ignored: 'ignored', '400': 'param names it' },
      'ignored',
    ),
    'hyperparameter-null': standing('A hyperparameter that is null where the contract does not allow null.', {
      'not-sent': 'treated as absent',
      kept: "returned in place of the template's value, as on the real gateway",
    }),
    'unknown-hyperparameter': standing('Root keys of a render body that the contract does not name.', {
      kept: 'returned, like unknown keys inside objects',
    }),
    'own-call': marked('A call that the contract does not have (defineCall).', {
      defined: 'as it is defined; 500 if that fails',
    }),
    'total-order': standing('The order of records with the same created_at.', {
      'creation-sequence': 'that of their creation, so asc is exactly the reverse of desc',
    }),
    'newest-first': standing('The order of batches and checkpoints.', { desc: 'newest first' }),
    'before-page': marked('The page before a cursor.', {
      adjacent:
        'the records directly ahead of the cursor, in the current order; has_more is about those ahead of the page',
    }),
    'after-and-before': marked('A call with both after and before.', {
      between: 'the records between them, starting at after',
    }),
  }),
  ...inSection('Resources and their fields', {
    'extra-fields': standing('Fields of a written record that the contract does not have.', {
      refused: 'refused, since they are mostly slips',
      kept: 'returned, so that a recorded run or batch can be pasted',
    }),
    'absent-values': standing(
      'A field that does not apply to a run or batch, also param and line of the errors of a batch.',
      { null: 'null, never absent', omitted: 'absent' },
    ),
    'timestamp-unit': standing('The integer timestamps of runs, batches and checkpoints.', {
      seconds: 'seconds since 1970',
    }),
  }),
  ...inSection('List envelope', {
    'page-ends': standing('first_id and last_id.', {
      'ends-of-data':
        'both ends of data; on an empty page, null for checkpoints, absent for batches, and empty-run-ends for runs',
    }),
    'empty-run-ends': marked(
      'first_id and last_id on an empty page of runs, where the contract requires strings.',
      { 'empty-string': 'the empty string', null: 'null, as in recorded traffic' },
    ),
  }),
  ...inSection('Fine-tuning job checkpoint', {
    'absent-metrics': standing('Which metrics a checkpoint may lack.', {
      validation: 'valid_* and full_valid_*',
    }),
  }),
  ...inSection('States and transitions', {
    'run-states': standing('The states of a run: the contract names only queued.', {
      known: runStates.join(', '),
      any: 'any name',
    }),
    'batch-states': standing('The states of a batch: the contract names only validating.', {
      known: batchStates.join(', '),
      any: 'any name',
    }),
  }),
  ...inSection('Rate-limits policy', {
    'policy-keys': standing('The keys in conditions and group_by of a policy.', {
      known:
        'api_key, workspace_id, organisation_id and metadata.*, in all that is seeded or shipped; your own scenarios may have any',
    }),
  }),
  ...inSection('Render a prompt', {
    'template-syntax': standing('The language of prompt templates.', {
      mustache: 'Mustache; values are not escaped; a partial is the text of another prompt',
    }),
    'template-lines': marked('The line of a section, comment or partial that stands alone on it.', {
      kept: 'its line break stays, since a gateway keeps messages as one JSON text; a partial is not indented',
      removed: "it goes away, as by Mustache's specification; a partial is indented",
    }),
    'template-text': standing('Messages that are stored as one JSON text, `string`.', {
      json: 'rendered as a whole; inside quotes, values are escaped; elsewhere they are JSON, a list its items; 500 if the result is not a list of messages',
    }),
    'structured-values': marked(
      'An object or a list inside a text.',
      { json: 'its JSON', '500': 'since it breaks the JSON text of the messages' },
      'json',
    ),
    'missing-variable': marked(
      'A variable that is missing or null.',
      { empty: 'empty text', '400': 'lists the names' },
      'empty',
    ),
    'root-messages': marked('messages in the body of a render.', {
      'replace-template': "replace the template's messages",
      'template-wins': 'are ignored',
    }),
    'root-messages-rendered': standing('Template tags in the messages of a render body.', {
      verbatim: 'not rendered, since such messages are data',
    }),
    'hyperparameter-precedence': standing('A hyperparameter that both the template and the request set.', {
      request: 'the request wins; stream is returned only if the request has it',
    }),
    'render-reserved-keys': standing('Keys of a render body that are not returned.', {
      'left-out': 'variables, and prompt_id, which one real client adds',
    }),
    'prompt-version': marked('A suffix of the prompt id, such as id@3, id@latest or id@label.', {
      suffix: 'picks that version; without one, the published version',
    }),
    'missing-partial': marked('A partial that does not exist, also where it is not rendered.', {
      '400': 'lists the names; also those of variables that should name a partial',
    }),
    'recursive-partial': marked('A partial that includes itself beyond 500 levels.', {
      '400': 'names the chain of partials',
    }),
  }),
};

/** The id of an assumption, such as `'unknown-cursor'`. */
export type AssumptionId = keyof typeof assumptions;

/** The values that an assumption can have, such as `'404' | '400' | 'empty-page'`. */
export type ChoiceOf<Id extends AssumptionId> = (typeof assumptions)[Id]['choices'][number][0];

/** Assumption ids with the values to use. Assumptions that are left out keep their default. */
export type AssumptionChoices = { readonly [Id in AssumptionId]?: ChoiceOf<Id> };

/**
 * Returns the value of an assumption, and marks the present reply with it unless it is standing. A call whose value is not used
 * is there for the mark alone.
 */
export type Assume = <Id extends AssumptionId>(id: Id) => ChoiceOf<Id>;

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

type Choices = readonly [Choice, ...Choice[]];
type Choice = Assumption['choices'][number];

/** An assumption. Each value has its meaning, and the first one is the default. */
const marked = <const Values extends Choices>(
  section: string,
  description: string,
  ...choices: Values
): Assumption & { readonly choices: Values } => ({ section, description, choices });

/** A standing assumption: it applies to every reply. */
const standing = <const Values extends Choices>(
  ...parts: [section: string, description: string, ...choices: Values]
): Assumption & { readonly choices: Values } => ({ ...marked(...parts), standing: true });

/** All assumptions, by id. Code never decides anything else where the contract says nothing. */
export const assumptions = {
  // Identity
  'api-keys': standing(
    'Authentication',
    'The accepted values of x-gateway-api-key.',
    ['any', 'any that is not empty'],
    ['listed', 'those that the scenario or the options list'],
  ),
  'missing-api-key': marked('Authentication', 'A call without x-gateway-api-key.', ['401', 'code 03']),
  'unknown-api-key': marked('Authentication', 'An API key that is not listed, if keys are listed.', [
    '401',
    'code 03',
  ]),
  'expired-api-key': marked('Authentication', 'An API key that the scenario marks as expired.', [
    '401',
    'code 01',
  ]),
  'exhausted-api-key': marked('Authentication', 'An API key whose budget the scenario marks as used up.', [
    '412',
    'code 04',
  ]),
  'forbidden-api-key': marked('Authentication', 'An API key that the scenario limits to other operations.', [
    '403',
    'code 033',
  ]),
  'missing-virtual-key': marked(
    'Authentication',
    'A list call without x-gateway-virtual-key.',
    ['400', 'names the header'],
    ['ignored', 'as if it were there'],
    ['stand-in', "x-gateway-provider or x-gateway-config may stand in for it, as today's clients send them"],
  ),
  'unknown-virtual-key': marked(
    'Authentication',
    'A list call whose virtual key is not listed, if virtual keys are listed.',
    ['400', 'names the key'],
    ['ignored', 'accepted'],
  ),
  'beta-header': standing(
    'Versioning',
    'The header OpenAI-Beta or Vendor-Beta with assistants=v2 in the list of runs.',
    ['accepted', 'optional'],
    ['required', 'without it, 400, code invalid_beta'],
  ),
  bearer: standing(
    'Authentication',
    'Authorization: Bearer, which real clients always send.',
    ['ignored', 'not read'],
    ['api-key', 'the API key of a call without x-gateway-api-key, as on the real gateway'],
  ),
  cors: standing(
    'Authentication',
    'Calls by web pages of other origins.',
    ['open', 'allowed'],
    [
      'refused',
      'a preflight gets 401, and replies have no CORS headers, as from a real gateway that is not configured for CORS',
    ],
  ),
  'request-id': standing('Events', 'x-request-id and x-gateway-trace-id of each reply.', [
    'seeded',
    'the same calls get the same ids; a trace id of the request (up to 256 printable ASCII characters) is returned',
  ]),
  'session-name': marked('None: sessions are a feature of the mock', 'An invalid session name.', [
    '400',
    '400',
  ]),
  'session-required': marked(
    'None: sessions are a feature of the mock',
    'A call without a session, if sessions are required.',
    ['400', '400'],
  ),
  'session-removed': marked(
    'None: sessions are a feature of the mock',
    'A call to a session that was removed because there were too many.',
    ['410', 'until sessions.create creates it again'],
  ),
  'session-lost': marked(
    'None: sessions are a feature of the mock',
    'A call to a session whose last change the state directory lacks, since the server was killed or the file is damaged.',
    ['410', 'until sessions.create creates it again'],
  ),

  // Errors
  'check-order': standing('Errors', 'Which error wins if several things are wrong.', [
    'routing-first',
    'routing (404, 405), fault, API key, virtual key, parameters, body, existence',
  ]),
  'error-body': marked('Errors', 'The body of all errors.', [
    'combined',
    'success, status, message, error and data, so that each family of clients finds the fields it reads',
  ]),
  'unknown-thread': marked(
    'Errors',
    'Runs of a thread that does not exist.',
    ['404', '404'],
    ['empty-list', 'an empty list'],
  ),
  'unknown-job': marked(
    'Errors',
    'Checkpoints of a job that does not exist.',
    ['404', 'param fine_tune_id, code fine_tune_not_found'],
    ['empty-list', 'an empty list'],
  ),
  'unknown-prompt': marked('Errors', 'A prompt, or a version, that does not exist.', ['404', '404']),
  'unknown-policy': marked('Errors', 'A policy that does not exist, or has another status.', ['404', '404']),
  'policy-id-format': marked('Errors', 'A policy id that is not a uuid, of any version.', [
    '400',
    'param rateLimitsPolicyId',
  ]),
  'policy-status-value': marked('Errors', 'A status other than active and archived.', [
    '400',
    'param status, code invalid_value',
  ]),
  'limit-too-large': marked('Errors', 'A limit above the maximum.', [
    '400',
    'param limit, code integer_above_max_value',
  ]),
  'limit-too-small': marked(
    'Errors',
    'A limit below 1.',
    ['400', 'param limit, code integer_below_min_value'],
    ['empty-page', 'an empty page for 0, as from the real service; 400 below'],
  ),
  'limit-format': marked('Errors', 'A limit that is not an integer in the digits 0 to 9.', [
    '400',
    'param limit, code invalid_type',
  ]),
  'checkpoint-limit-bounds': marked(
    'Limits',
    'The bounds of limit in the list of checkpoints.',
    ['at-least-1', 'no maximum'],
    ['1-to-100', '1 to 100'],
  ),
  'order-value': marked('Errors', 'An order other than asc and desc, in lower case.', [
    '400',
    'param order, code invalid_value',
  ]),
  'unknown-cursor': marked(
    'Errors',
    'A cursor, after or before, that names no record of the list.',
    ['404', 'param after or before'],
    ['400', 'param after or before'],
    ['empty-page', 'an empty page'],
  ),
  'blank-parameter': standing(
    'Endpoints',
    'A query parameter without a value, which real clients send for null.',
    ['absent', 'treated as absent'],
  ),
  'repeated-parameter': marked('Endpoints', 'A query parameter of the contract that is sent twice.', [
    '400',
    'param names it',
  ]),
  'unknown-parameter': standing(
    'Endpoints',
    'A query parameter that the contract does not have.',
    ['ignored', 'ignored'],
    ['400', 'param names it'],
  ),
  'path-encoding': marked('Errors', 'A path parameter with invalid percent-encoding.', [
    '400',
    'param names it',
  ]),
  'body-format': marked(
    'Errors',
    'A body that is not a JSON object in UTF-8, is nested more than 500 levels deep, or has a content encoding.',
    ['400', '400'],
  ),
  'body-type': marked('Errors', 'A content type that is not JSON.', ['415', '415']),
  'body-size': marked('Limits', 'A body of more than 10 MB (10,000,000 bytes).', ['413', '413']),
  'variables-required': marked('Errors', 'A render without an object variables.', ['400', 'param variables']),
  'nested-hyperparameters': marked('Errors', 'A render with a field named hyperparameters.', [
    '400',
    'says that they belong at the root',
  ]),
  'hyperparameter-type': marked(
    'Errors',
    "A hyperparameter of another JSON type than the contract's.",
    ['400', 'param is its path'],
    ['passed-through', 'returned, as by a lenient gateway'],
  ),
  'hyperparameter-null': standing(
    'Endpoints',
    'A hyperparameter that is null where the contract does not allow null.',
    ['not-sent', 'treated as absent'],
    ['kept', "returned in place of the template's value, as on the real gateway"],
  ),
  'extra-fields': standing(
    'Resources and their fields',
    'Fields of a written record that the contract does not have.',
    ['refused', 'refused, since they are mostly slips'],
    ['kept', 'returned, so that a recorded run or batch can be pasted'],
  ),
  'unknown-hyperparameter': standing(
    'Endpoints',
    'Root keys of a render body that the contract does not name.',
    ['kept', 'returned, like unknown keys inside objects'],
  ),
  'unknown-path': marked('Errors', 'A path that no operation has.', [
    '404',
    'names the nearest operation and the difference',
  ]),
  'method-not-served': marked('Errors', 'Another method than that of the operation.', ['405', 'with Allow']),
  'own-call': marked('Endpoints', 'A call that the contract does not have (defineCall).', [
    'defined',
    'as it is defined; 500 if that fails',
  ]),

  // Quotas
  'quota-window': standing('Limits', 'How enforced rate-limits policies count.', [
    'fixed',
    'per group, in windows of one minute, hour or day of the clock; only calls that would get 200 count; a render costs one token per 4 characters of its messages',
  ]),
  'quota-exceeded': marked('Errors', 'A call beyond an enforced policy, which does not count.', [
    '429',
    'code rate_limit_exceeded',
  ]),
  'retry-after-cap': marked(
    'Errors',
    'The retry-after of a call beyond a policy; x-ratelimit-reset-* always has the true time.',
    ['1s', 'at most 1 second, since real clients wait that long'],
    ['none', 'the true time'],
  ),

  'quota-headers': standing(
    'Limits',
    'Whether replies say how much of an enforced policy is left.',
    ['sent', 'in x-ratelimit-*, and a refusal in retry-after'],
    ['none', 'no; a refusal has the type rate_limits_policy_exhaust_error, as from the real gateway'],
  ),
  'quota-scope': standing(
    'Limits',
    'Which calls enforced policies limit.',
    ['all', 'all: lists, renders, look-ups of policies and your own calls'],
    ['lists', 'lists and your own calls, since the real gateway limits only what it forwards'],
  ),

  // Lists
  'total-order': standing('Endpoints', 'The order of records with the same created_at.', [
    'creation-sequence',
    'that of their creation, so asc is exactly the reverse of desc',
  ]),
  'newest-first': standing('Endpoints', 'The order of batches and checkpoints.', ['desc', 'newest first']),
  'before-page': marked('Endpoints', 'The page before a cursor.', [
    'adjacent',
    'the records directly ahead of the cursor, in the current order; has_more is about those ahead of the page',
  ]),
  'after-and-before': marked('Endpoints', 'A call with both after and before.', [
    'between',
    'the records between them, starting at after',
  ]),
  'page-ends': standing('List envelope', 'first_id and last_id.', [
    'ends-of-data',
    'both ends of data; on an empty page, null for checkpoints, absent for batches, and empty-run-ends for runs',
  ]),
  'empty-run-ends': marked(
    'List envelope',
    'first_id and last_id on an empty page of runs, where the contract requires strings.',
    ['empty-string', 'the empty string'],
    ['null', 'null, as in recorded traffic'],
  ),
  'absent-values': standing(
    'Resources and their fields',
    'A field that does not apply to a run or batch, also param and line of the errors of a batch.',
    ['null', 'null, never absent'],
    ['omitted', 'absent'],
  ),

  // Records
  'timestamp-unit': standing(
    'Resources and their fields',
    'The integer timestamps of runs, batches and checkpoints.',
    ['seconds', 'seconds since 1970'],
  ),
  'absent-metrics': standing('Fine-tuning job checkpoint', 'Which metrics a checkpoint may lack.', [
    'validation',
    'valid_* and full_valid_*',
  ]),

  // Lifecycles
  'run-states': standing(
    'States and transitions',
    'The states of a run: the contract names only queued.',
    ['known', runStates.join(', ')],
    ['any', 'any name'],
  ),
  'batch-states': standing(
    'States and transitions',
    'The states of a batch: the contract names only validating.',
    ['known', batchStates.join(', ')],
    ['any', 'any name'],
  ),
  'policy-keys': standing('Rate-limits policy', 'The keys in conditions and group_by of a policy.', [
    'known',
    'api_key, workspace_id, organisation_id and metadata.*, in all that is seeded or shipped; your own scenarios may have any',
  ]),

  // Rendering
  'template-syntax': standing('Render a prompt', 'The language of prompt templates.', [
    'mustache',
    'Mustache; values are not escaped; a partial is the text of another prompt',
  ]),
  'template-lines': marked(
    'Render a prompt',
    'The line of a section, comment or partial that stands alone on it.',
    [
      'kept',
      'its line break stays, since a gateway keeps messages as one JSON text; a partial is not indented',
    ],
    ['removed', "it goes away, as by Mustache's specification; a partial is indented"],
  ),
  'template-text': standing('Render a prompt', 'Messages that are stored as one JSON text, `string`.', [
    'json',
    'rendered as a whole; inside quotes, values are escaped; elsewhere they are JSON, a list its items; 500 if the result is not a list of messages',
  ]),
  'structured-values': marked(
    'Render a prompt',
    'An object or a list inside a text.',
    ['json', 'its JSON'],
    ['500', 'since it breaks the JSON text of the messages'],
  ),
  'missing-variable': marked(
    'Render a prompt',
    'A variable that is missing or null.',
    ['empty', 'empty text'],
    ['400', 'lists the names'],
  ),
  'root-messages': marked(
    'Render a prompt',
    'messages in the body of a render.',
    ['replace-template', "replace the template's messages"],
    ['template-wins', 'are ignored'],
  ),
  'root-messages-rendered': standing('Render a prompt', 'Template tags in the messages of a render body.', [
    'verbatim',
    'not rendered, since such messages are data',
  ]),
  'hyperparameter-precedence': standing(
    'Render a prompt',
    'A hyperparameter that both the template and the request set.',
    ['request', 'the request wins; stream is returned only if the request has it'],
  ),
  'render-reserved-keys': standing('Render a prompt', 'Keys of a render body that are not returned.', [
    'left-out',
    'variables, and prompt_id, which one real client adds',
  ]),
  'prompt-version': marked(
    'Render a prompt',
    'A suffix of the prompt id, such as id@3, id@latest or id@label.',
    ['suffix', 'picks that version; without one, the published version'],
  ),
  'missing-partial': marked(
    'Render a prompt',
    'A partial that does not exist, also where it is not rendered.',
    ['400', 'lists the names; also those of variables that should name a partial'],
  ),
  'recursive-partial': marked('Render a prompt', 'A partial that includes itself beyond 500 levels.', [
    '400',
    'names the chain of partials',
  ]),
  'render-size': marked(
    'Limits',
    'A render of more than 10,000,000 steps and characters, or more than 500 nested sections and partials.',
    ['400', '400'],
  ),
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

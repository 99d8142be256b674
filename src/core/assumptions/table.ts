import { batchStates, runStates } from './record-states.ts';

/** A documented decision of the mock where the contract says nothing. */
export interface Assumption {
  /** The section of the contract that leaves it open. */
  readonly section: string;
  /** What it decides, in one sentence. */
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
    'Which values of the header x-gateway-api-key are accepted.',
    ['any', 'any value that is not empty'],
    ['listed', 'only the keys that the scenario or the options list'],
  ),
  'missing-api-key': marked('Authentication', 'A call without x-gateway-api-key is refused.', [
    '401',
    '401, code 03',
  ]),
  'unknown-api-key': marked(
    'Authentication',
    'If the accepted API keys are listed, a call with any other key is refused.',
    ['401', '401, code 03'],
  ),
  'expired-api-key': marked(
    'Authentication',
    'A call with an API key that the scenario marks as expired is refused.',
    ['401', '401, code 01'],
  ),
  'exhausted-api-key': marked(
    'Authentication',
    'A call with an API key that the scenario marks as exhausted, since its budget is used up, is refused.',
    ['412', '412, code 04'],
  ),
  'forbidden-api-key': marked(
    'Authentication',
    'A call is refused if the scenario limits its API key to other operations.',
    ['403', '403, code 033'],
  ),
  'missing-virtual-key': marked(
    'Authentication',
    'What a list call without x-gateway-virtual-key gets.',
    ['400', '400, naming the header'],
    ['ignored', 'as if the header were there'],
    [
      'stand-in',
      "x-gateway-provider or x-gateway-config may stand in for it, as today's clients send them; without them, 400",
    ],
  ),
  'unknown-virtual-key': marked(
    'Authentication',
    'What a list call gets if its virtual key is not one of the listed ones. Without a list, every virtual key is accepted.',
    ['400', '400, naming the key'],
    ['ignored', 'as if the key were accepted'],
  ),
  'beta-header': standing(
    'Versioning',
    'Whether a call of the run list needs the header OpenAI-Beta or Vendor-Beta with the value assistants=v2.',
    ['accepted', 'accepted, but not required'],
    ['required', 'required: without it, 400, code invalid_beta'],
  ),
  bearer: standing(
    'Authentication',
    'What the header Authorization: Bearer means, which real clients always send.',
    ['ignored', 'nothing: it is not read'],
    ['api-key', 'it is the API key of a call without x-gateway-api-key, as on the real gateway'],
  ),
  cors: standing(
    'Authentication',
    'Whether pages of other origins may call and read replies.',
    ['open', 'from any origin'],
    [
      'refused',
      'no: a preflight gets the 401 of missing-api-key, and replies have no CORS headers, as from the real gateway unless it is configured',
    ],
  ),
  'request-id': standing(
    'Events',
    'Every reply has an x-request-id, and an x-gateway-trace-id: the one of the request (up to 256 printable ASCII characters) or a new one.',
    ['seeded', 'made from the seed and the number of requests before, so the same calls get the same ids'],
  ),
  'session-name': marked(
    'None: sessions are a feature of the mock',
    'A call with an invalid session name is refused.',
    ['400', '400'],
  ),
  'session-required': marked(
    'None: sessions are a feature of the mock',
    'If the gateway requires sessions, a call without one is refused.',
    ['400', '400'],
  ),
  'session-removed': marked(
    'None: sessions are a feature of the mock',
    'A call to a session that was removed because there were too many is refused.',
    ['410', '410, until sessions.create creates the session again'],
  ),
  'session-lost': marked(
    'None: sessions are a feature of the mock',
    'With a state directory, a call to a session is refused if the server was killed before it wrote the last change, or the file cannot be used.',
    ['410', '410, until sessions.create creates the session again'],
  ),

  // Errors
  'check-order': standing(
    'Errors',
    'If several things are wrong with a call, the first failing check decides the reply.',
    [
      'routing-first',
      'in this order: routing (404, 405), fault, API key, virtual key, parameters, body, existence',
    ],
  ),
  'error-body': marked('Errors', 'All errors of all operations have the same body.', [
    'combined',
    'success, status, message, error and data, so that each family of clients finds the fields it reads',
  ]),
  'unknown-thread': marked(
    'Errors',
    'What the run list returns if the thread does not exist.',
    ['404', '404'],
    ['empty-list', 'an empty list'],
  ),
  'unknown-job': marked(
    'Errors',
    'What the checkpoint list returns if the fine-tuning job does not exist.',
    ['404', '404, param fine_tune_id, code fine_tune_not_found'],
    ['empty-list', 'an empty list'],
  ),
  'unknown-prompt': marked(
    'Errors',
    'A render of a prompt, or of a version, that does not exist is refused.',
    ['404', '404'],
  ),
  'unknown-policy': marked(
    'Errors',
    'A call is refused if the policy does not exist, or has another status than the requested one.',
    ['404', '404'],
  ),
  'policy-id-format': marked(
    'Errors',
    'A policy id that is not a uuid is refused. The version digits of the uuid do not matter.',
    ['400', '400, param rateLimitsPolicyId'],
  ),
  'policy-status-value': marked('Errors', 'A status other than active and archived is refused.', [
    '400',
    '400, param status, code invalid_value',
  ]),
  'limit-too-large': marked('Errors', 'A limit above the maximum is refused.', [
    '400',
    '400, param limit, code integer_above_max_value',
  ]),
  'limit-too-small': marked(
    'Errors',
    'What a list call with a limit below the minimum gets.',
    ['400', '400, param limit, code integer_below_min_value'],
    ['empty-page', 'an empty page for limit=0, as from the real service; 400 below 0'],
  ),
  'limit-format': marked('Errors', 'A limit that is not an integer in the digits 0 to 9 is refused.', [
    '400',
    '400, param limit, code invalid_type',
  ]),
  'checkpoint-limit-bounds': marked(
    'Limits',
    'Which values of limit the checkpoint list accepts.',
    ['at-least-1', '1 and above, without a maximum'],
    ['1-to-100', '1 to 100'],
  ),
  'order-value': marked('Errors', 'An order other than asc and desc is refused. Letter case matters.', [
    '400',
    '400, param order, code invalid_value',
  ]),
  'unknown-cursor': marked(
    'Errors',
    'What a list call gets if after or before is not the id of a record of the list.',
    ['404', '404, param after or before'],
    ['400', '400, param after or before'],
    ['empty-page', 'an empty page'],
  ),
  'blank-parameter': standing(
    'Endpoints',
    'A query parameter with an empty value, which real clients send for null, counts as absent.',
    ['absent', 'treated as absent'],
  ),
  'repeated-parameter': marked(
    'Endpoints',
    'A query parameter of the contract that is sent twice is refused.',
    ['400', '400, param names it'],
  ),
  'unknown-parameter': standing(
    'Endpoints',
    'How a query parameter that is not in the contract is treated.',
    ['ignored', 'ignored'],
    ['400', '400, param names it'],
  ),
  'path-encoding': marked('Errors', 'A path parameter with invalid percent-encoding is refused.', [
    '400',
    '400, param names it',
  ]),
  'body-format': marked(
    'Errors',
    'A body is refused if it is not a JSON object in UTF-8, is nested more than 500 levels deep, or has a content encoding.',
    ['400', '400'],
  ),
  'body-type': marked('Errors', 'A body is refused if its content type is given and is not JSON.', [
    '415',
    '415',
  ]),
  'body-size': marked('Limits', 'A body of more than 10 MB (10,000,000 bytes) is refused.', ['413', '413']),
  'variables-required': marked(
    'Errors',
    'A render is refused if variables is missing from the body, or is not an object.',
    ['400', '400, param variables'],
  ),
  'nested-hyperparameters': marked(
    'Errors',
    'A render is refused if the body has a field named hyperparameters.',
    ['400', '400, saying that hyperparameters belong at the root'],
  ),
  'hyperparameter-type': marked(
    'Errors',
    "How a hyperparameter is treated if its JSON type differs from the contract's.",
    ['400', '400, param is its path'],
    ['passed-through', 'kept and returned, as a lenient gateway would'],
  ),
  'hyperparameter-null': standing(
    'Endpoints',
    'How a hyperparameter is treated if it is null where the contract does not allow null.',
    ['not-sent', 'treated as absent'],
    ['kept', "kept and returned, in place of the template's value, as on the real gateway"],
  ),
  'extra-fields': standing(
    'Resources and their fields',
    'How fields of a written record are treated that the contract does not have.',
    ['refused', 'refused, since they are mostly slips'],
    ['kept', 'kept and returned, so that a recorded run or batch can be pasted'],
  ),
  'unknown-hyperparameter': standing(
    'Endpoints',
    'Root keys of a render body that the contract does not name are returned like hyperparameters.',
    ['kept', 'kept, like unknown keys inside objects'],
  ),
  'unknown-path': marked('Errors', 'A call to a path that no operation has is refused.', [
    '404',
    '404, naming the nearest operation and the difference',
  ]),
  'method-not-served': marked(
    'Errors',
    'A call to the path of an operation with another method is refused.',
    ['405', '405, with Allow'],
  ),
  'own-call': marked(
    'Endpoints',
    'A call that the contract does not have is answered as its definition (defineCall) says.',
    ['defined', 'as its definition says; 500 if that fails'],
  ),

  // Quotas
  'quota-window': standing('Limits', 'How rate-limit policies count, if the scenario enforces them.', [
    'fixed',
    'per group, in windows of one minute, hour or day of the clock; a call that lacks the value of a condition or group is not under the policy, and the condition "*" takes any value; only calls that would get 200 count; a render costs one token per 4 characters of its messages',
  ]),
  'quota-exceeded': marked(
    'Errors',
    'A call that exceeds an active rate-limits policy is refused, and does not count.',
    ['429', '429, code rate_limit_exceeded'],
  ),
  'retry-after-cap': marked(
    'Errors',
    'What retry-after says if a rate-limits policy refuses a call. The time in x-ratelimit-reset-* is always the true one.',
    ['1s', 'at most 1 second, since real clients wait that long'],
    ['none', 'the true time until the reset'],
  ),

  'quota-headers': standing(
    'Limits',
    'Whether replies under an enforced rate-limits policy say how much of it is left.',
    ['sent', 'in x-ratelimit-*, and a refusal also in retry-after'],
    ['none', 'no; a refusal has the type rate_limits_policy_exhaust_error, as from the real gateway'],
  ),
  'quota-scope': standing(
    'Limits',
    'Which calls count against an enforced rate-limits policy, and are refused by it.',
    ['all', 'all: lists, renders, look-ups of policies and your own calls'],
    ['lists', 'lists and your own calls, since the real gateway limits only what it forwards'],
  ),

  // Lists
  'total-order': standing(
    'Endpoints',
    'Records with the same created_at are in the order of their creation.',
    ['creation-sequence', 'in order of creation, so asc is exactly the reverse of desc'],
  ),
  'newest-first': standing('Endpoints', 'Batches and checkpoints are listed newest first.', [
    'desc',
    'newest first',
  ]),
  'before-page': marked('Endpoints', 'Which records a page before a cursor has.', [
    'adjacent',
    'the records directly ahead of the cursor, in the current order; has_more is about those ahead of the page',
  ]),
  'after-and-before': marked('Endpoints', 'Which records a call with both after and before gets.', [
    'between',
    'the records between them, starting at after',
  ]),
  'page-ends': standing(
    'List envelope',
    'first_id and last_id are the ids of the first and last record in data.',
    [
      'ends-of-data',
      'both ends of data; on an empty page, null for checkpoints, absent for batches, and empty-run-ends for runs',
    ],
  ),
  'empty-run-ends': marked(
    'List envelope',
    'The value of first_id and last_id on an empty page of runs, where the contract requires strings.',
    ['empty-string', 'the empty string'],
    ['null', 'null, as in recorded traffic'],
  ),
  'absent-values': standing(
    'Resources and their fields',
    'What a run or batch has in a field that does not apply to it, also in param and line of the errors of a batch.',
    ['null', 'null, never absent'],
    ['omitted', 'absent'],
  ),

  // Records
  'timestamp-unit': standing(
    'Resources and their fields',
    'The integer timestamps of runs, batches and checkpoints are in seconds.',
    ['seconds', 'seconds since 1970'],
  ),
  'absent-metrics': standing('Fine-tuning job checkpoint', 'A checkpoint may lack its validation metrics.', [
    'validation',
    'valid_* and full_valid_* may be absent; the others are always present',
  ]),

  // Lifecycles
  'run-states': standing(
    'States and transitions',
    'Which states a run can have: the contract names only queued.',
    ['known', runStates.join(', ')],
    ['any', 'any name is allowed'],
  ),
  'batch-states': standing(
    'States and transitions',
    'Which states a batch can have: the contract names only validating.',
    ['known', batchStates.join(', ')],
    ['any', 'any name is allowed'],
  ),
  'policy-keys': standing(
    'Rate-limits policy',
    'Which keys occur in the conditions and group_by of a policy.',
    [
      'known',
      'api_key, workspace_id, organisation_id and metadata.*, in all that is seeded or shipped; your own scenarios may have any',
    ],
  ),

  // Rendering
  'template-syntax': standing('Render a prompt', 'Prompt templates are written in Mustache.', [
    'mustache',
    'Mustache; values are inserted verbatim, without escaping; a partial is the text of another prompt',
  ]),
  'template-lines': marked(
    'Render a prompt',
    'What becomes of the line of a section, comment or partial that stands alone on it.',
    [
      'kept',
      'its line break stays, since a gateway keeps messages as one JSON text; a partial is not indented',
    ],
    ['removed', "it goes away, as by Mustache's specification; a partial is indented"],
  ),
  'template-text': standing(
    'Render a prompt',
    'A stored prompt may have its messages as one JSON text, `string`, that is rendered as a whole.',
    [
      'json',
      'inside quotes, values are written as in a JSON string; elsewhere as JSON, a list as its items; 500 if the result is not a list of messages',
    ],
  ),
  'structured-values': marked(
    'Render a prompt',
    'How an object or a list inside a text is rendered.',
    ['json', 'as its JSON'],
    ['500', '500, since it breaks the JSON text of the messages'],
  ),
  'missing-variable': marked(
    'Render a prompt',
    'How a variable of the template is rendered if it is missing or null.',
    ['empty', 'as empty text'],
    ['400', '400, listing the names'],
  ),
  'root-messages': marked(
    'Render a prompt',
    "Whether messages in the body of a render replace the template's messages.",
    ['replace-template', "they replace the template's messages"],
    ['template-wins', "the template's messages win"],
  ),
  'root-messages-rendered': standing(
    'Render a prompt',
    'Template tags in the messages of a render body are not rendered.',
    ['verbatim', 'kept verbatim: such messages are data'],
  ),
  'hyperparameter-precedence': standing(
    'Render a prompt',
    'If the template and the request set the same hyperparameter, the value of the request is used.',
    ['request', 'the request wins; stream is returned only if the request has it'],
  ),
  'render-reserved-keys': standing(
    'Render a prompt',
    'Some keys of a render body are not returned as hyperparameters.',
    ['left-out', 'variables, and prompt_id, which one real client adds'],
  ),
  'prompt-version': marked(
    'Render a prompt',
    'A suffix of the prompt id picks a version: id@3, id@latest, id@label.',
    ['suffix', 'the version of the suffix; without a suffix, the published version'],
  ),
  'missing-partial': marked(
    'Render a prompt',
    'A render is refused if the template, or one of its partials, names a partial that does not exist, also where it is not rendered.',
    ['400', '400, listing the names; also those of variables that should name a partial'],
  ),
  'recursive-partial': marked(
    'Render a prompt',
    'A partial may include itself as long as the data ends. A render is refused beyond 500 levels.',
    ['400', '400, naming the chain of partials'],
  ),
  'render-size': marked(
    'Limits',
    'A render is refused if it takes more than 10,000,000 steps and characters, or nests more than 500 sections and partials.',
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
 * Returns the value of an assumption, and marks the present reply with it unless it is standing. Where the value is not
 * used, the call documents that the code relies on the assumption; a test checks that it is reached.
 */
export type Assume = <Id extends AssumptionId>(id: Id) => ChoiceOf<Id>;

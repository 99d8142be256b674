/**
 * One answer to something that the contract leaves open.
 *
 * - `silent`: the contract's section that says nothing, or too little.
 * - `says`: what the mock does, in one sentence.
 * - `choices`: the values it can take, each with what it means; the first is the default.
 * - `standing`: it holds on every reply, so a reply that rests on it is not marked.
 */
export interface Assumption {
  readonly silent: string;
  readonly says: string;
  readonly choices: readonly (readonly [value: string, meaning: string])[];
  readonly standing?: true;
}

const define = <const Registry extends Readonly<Record<string, Assumption>>>(registry: Registry): Registry =>
  registry;

/** Every choice that the mock makes where the contract is silent: the only place that holds one. */
export const assumptions = define({
  // Identity
  'api-keys': {
    silent: 'Authentication',
    standing: true,
    says: 'Which values of x-gateway-api-key are accepted.',
    choices: [
      ['any', 'any that is not empty'],
      ['listed', 'only those that the scenario or the options list'],
    ],
  },
  'missing-api-key': {
    silent: 'Authentication',
    says: 'A call without x-gateway-api-key is refused.',
    choices: [['401', '401, code 03']],
  },
  'unknown-api-key': {
    silent: 'Authentication',
    says: 'A call whose x-gateway-api-key is not listed is refused.',
    choices: [['401', '401, code 03']],
  },
  'expired-api-key': {
    silent: 'Authentication',
    says: 'A call with an API key that the scenario marks expired is refused.',
    choices: [['401', '401, code 01']],
  },
  'forbidden-api-key': {
    silent: 'Authentication',
    says: 'A call with an API key that the scenario limits to other operations is refused.',
    choices: [['403', '403, code 033']],
  },
  'missing-virtual-key': {
    silent: 'Authentication',
    says: 'A call without x-gateway-virtual-key, where the contract asks for it.',
    choices: [
      ['400', '400 that names the header'],
      ['ignored', 'served all the same'],
    ],
  },
  'unknown-virtual-key': {
    silent: 'Authentication',
    says: 'A call whose x-gateway-virtual-key is not listed, where the contract asks for it and virtual keys are listed.',
    choices: [
      ['400', '400 that names the key'],
      ['ignored', 'served all the same'],
    ],
  },
  'beta-header': {
    silent: 'Versioning',
    standing: true,
    says: 'The header OpenAI-Beta or Vendor-Beta with the value assistants=v2, on the run list.',
    choices: [
      ['accepted', 'accepted, not required'],
      ['required', 'required: else 400, code invalid_beta'],
    ],
  },
  bearer: {
    silent: 'Authentication',
    standing: true,
    says: 'The header Authorization: Bearer, which real clients always send.',
    choices: [['ignored', 'ignored']],
  },
  'request-id': {
    silent: 'Events',
    standing: true,
    says: 'Every reply carries x-request-id, made from the seed and the ordinal of the request in its world, and echoes x-gateway-trace-id, up to 256 printable ASCII characters, or makes one.',
    choices: [['seeded', 'the same request in the same place has the same id']],
  },

  'session-name': {
    silent: 'Beside the service: sessions of the mock',
    says: 'A call names a session by something that is no name.',
    choices: [['400', '400']],
  },
  'session-required': {
    silent: 'Beside the service: sessions of the mock',
    says: 'A call names no session, where the mock was told to require one.',
    choices: [['400', '400']],
  },
  'session-removed': {
    silent: 'Beside the service: sessions of the mock',
    says: 'A call names a session that was removed for lack of room.',
    choices: [['410', '410 that says so, until sessions.create makes the session again']],
  },

  // Errors
  'check-order': {
    silent: 'Errors',
    standing: true,
    says: 'Which answer is given to a call with several mistakes: that of the check that comes first.',
    choices: [
      [
        'routing-first',
        'routing (404, 405), fault, API key, virtual key, parameters, body, existence of what is asked for',
      ],
    ],
  },
  'error-body': {
    silent: 'Errors',
    says: 'One body for every error of every operation.',
    choices: [
      [
        'combined',
        'success, status, message, error and data, so that each family of clients finds what it reads',
      ],
    ],
  },
  'unknown-thread': {
    silent: 'Errors',
    says: 'Runs are asked for of a thread that does not exist.',
    choices: [
      ['404', '404'],
      ['empty-list', 'an empty list'],
    ],
  },
  'unknown-job': {
    silent: 'Errors',
    says: 'Checkpoints are asked for of a fine-tuning job that does not exist.',
    choices: [
      ['404', '404, param fine_tune_id, code fine_tune_not_found'],
      ['empty-list', 'an empty list'],
    ],
  },
  'unknown-prompt': {
    silent: 'Errors',
    says: 'There is no such prompt, or no such version of it.',
    choices: [['404', '404']],
  },
  'unknown-policy': {
    silent: 'Errors',
    says: 'There is no such policy, or it has another status than the one asked for.',
    choices: [['404', '404']],
  },
  'policy-id-format': {
    silent: 'Errors',
    says: 'The id of a policy is no uuid. Any uuid-shaped text passes, whatever its version digits.',
    choices: [['400', '400, param rateLimitsPolicyId']],
  },
  'policy-status-value': {
    silent: 'Errors',
    says: 'The status asked for is neither active nor archived.',
    choices: [['400', '400, param status, code invalid_value']],
  },
  'limit-too-large': {
    silent: 'Errors',
    says: 'limit is above the maximum.',
    choices: [['400', '400, param limit, code integer_above_max_value']],
  },
  'limit-too-small': {
    silent: 'Errors',
    says: 'limit is below the minimum.',
    choices: [['400', '400, param limit, code integer_below_min_value']],
  },
  'limit-format': {
    silent: 'Errors',
    says: 'limit is no integer in the digits 0 to 9.',
    choices: [['400', '400, param limit, code invalid_type']],
  },
  'checkpoint-limit-bounds': {
    silent: 'Limits',
    says: 'The bounds of limit on the checkpoint list.',
    choices: [
      ['at-least-1', 'at least 1, no upper bound'],
      ['1-to-100', '1 to 100'],
    ],
  },
  'order-value': {
    silent: 'Errors',
    says: 'order is neither asc nor desc; letter case counts.',
    choices: [['400', '400, param order, code invalid_value']],
  },
  'unknown-cursor': {
    silent: 'Errors',
    says: 'after or before names no record of this list.',
    choices: [
      ['404', '404, param after or before'],
      ['400', '400, param after or before'],
      ['empty-page', 'an empty page'],
    ],
  },
  'blank-parameter': {
    silent: 'Endpoints',
    standing: true,
    says: 'A query parameter without a value, which real clients send for null.',
    choices: [['absent', 'as if it were absent']],
  },
  'repeated-parameter': {
    silent: 'Endpoints',
    says: 'A query parameter of the contract is sent twice.',
    choices: [['400', '400, param names it']],
  },
  'unknown-parameter': {
    silent: 'Endpoints',
    standing: true,
    says: 'A query parameter that the contract does not name.',
    choices: [
      ['ignored', 'ignored'],
      ['400', '400, param names it'],
    ],
  },
  'path-encoding': {
    silent: 'Errors',
    says: 'A path parameter is no valid percent-encoding.',
    choices: [['400', '400, param names it']],
  },
  'body-format': {
    silent: 'Errors',
    says: 'The body is no JSON object in UTF-8.',
    choices: [['400', '400']],
  },
  'body-depth': {
    silent: 'Limits',
    says: 'The body nests deeper than 500 levels.',
    choices: [['400', '400']],
  },
  'body-type': {
    silent: 'Errors',
    says: 'The content type of the body is given and is not JSON.',
    choices: [['415', '415']],
  },
  'body-size': {
    silent: 'Limits',
    says: 'The body is larger than 10 MB (10,000,000 bytes).',
    choices: [['413', '413']],
  },
  'variables-required': {
    silent: 'Errors',
    says: 'variables is missing from the body of a render, or is no object.',
    choices: [['400', '400, param variables']],
  },
  'nested-hyperparameters': {
    silent: 'Errors',
    says: 'The body of a render has a field named hyperparameters.',
    choices: [['400', '400 that says where they belong']],
  },
  'hyperparameter-type': {
    silent: 'Errors',
    says: 'A hyperparameter has another JSON type than the one in the table of the contract.',
    choices: [
      ['400', '400, param names its path'],
      ['passed-through', 'kept and passed on, as a lenient gateway would'],
    ],
  },
  'hyperparameter-null': {
    silent: 'Endpoints',
    standing: true,
    says: 'A hyperparameter is null where the contract does not allow null.',
    choices: [['not-sent', 'as if it were not sent']],
  },
  'unknown-hyperparameter': {
    silent: 'Endpoints',
    standing: true,
    says: 'The body of a render has a root key that the contract does not name.',
    choices: [['kept', 'kept and passed on, like unknown keys inside objects']],
  },
  'unknown-path': {
    silent: 'Errors',
    says: 'No operation has this path.',
    choices: [['404', '404 that names the nearest operation and what differs']],
  },
  'method-not-served': {
    silent: 'Errors',
    says: 'An operation has this path, but not this method.',
    choices: [['405', '405 with Allow']],
  },

  'http-syntax': {
    silent: 'Errors',
    says: 'Bytes that do not make a whole HTTP request in time, or one that is no call of a gateway.',
    choices: [['refused', '400, 405, 408, 417 or 431, and the connection is closed']],
  },

  // Quotas
  'quota-window': {
    silent: 'Limits',
    standing: true,
    says: 'How a rate-limits policy is enforced, where a scenario switches that on.',
    choices: [
      [
        'fixed',
        'in windows of a whole minute, hour or day of the clock, per group, over the calls that would be answered 200; a render costs a token for 4 characters of its messages',
      ],
    ],
  },
  'quota-exceeded': {
    silent: 'Errors',
    says: 'A call goes beyond what an active rate-limits policy leaves.',
    choices: [
      ['429', '429, code rate_limit_exceeded, with x-ratelimit-* and retry-after; it is not counted'],
    ],
  },
  'retry-after-cap': {
    silent: 'Errors',
    says: 'retry-after of a call that a rate-limits policy refuses; x-ratelimit-reset-* tell the true time.',
    choices: [
      ['1s', 'at most 1 second, since real clients wait it out'],
      ['none', 'the true time to the reset'],
    ],
  },

  // Lists
  'total-order': {
    silent: 'Endpoints',
    standing: true,
    says: 'Records with the same created_at.',
    choices: [
      [
        'creation-sequence',
        'stand in the order of their creation, so that asc is exactly the reverse of desc',
      ],
    ],
  },
  'newest-first': {
    silent: 'Endpoints',
    standing: true,
    says: 'The order of batches and of checkpoints.',
    choices: [['desc', 'newest first']],
  },
  'before-page': {
    silent: 'Endpoints',
    says: 'The page before a cursor.',
    choices: [
      [
        'adjacent',
        'the items next to the cursor and ahead of it, in the current order; has_more looks backward',
      ],
    ],
  },
  'after-and-before': {
    silent: 'Endpoints',
    says: 'after and before in one call.',
    choices: [['between', 'the items between them, read forward from after']],
  },
  'page-ends': {
    silent: 'List envelope',
    standing: true,
    says: 'first_id and last_id.',
    choices: [['ends-of-data', 'the ids of the first and the last item of data']],
  },
  'empty-run-ends': {
    silent: 'List envelope',
    says: 'first_id and last_id of an empty page of runs, where the contract requires strings.',
    choices: [
      ['empty-string', 'the empty string'],
      ['null', 'null, as recorded traffic has it'],
    ],
  },
  'absent-values': {
    silent: 'Resources and their fields',
    standing: true,
    says: 'A field of a run or a batch that does not apply.',
    choices: [
      ['null', 'null, never missing'],
      ['omitted', 'missing'],
    ],
  },

  // Records
  'timestamp-unit': {
    silent: 'Resources and their fields',
    standing: true,
    says: 'The unit of the timestamps that are integers: those of runs, batches and checkpoints.',
    choices: [['seconds', 'seconds since 1970']],
  },
  'absent-metrics': {
    silent: 'Fine-tuning job checkpoint',
    standing: true,
    says: 'The metrics of a checkpoint that may be missing.',
    choices: [['validation', 'valid_* and full_valid_*; the others are always there']],
  },

  // Lifecycles
  'run-states': {
    silent: 'States and transitions',
    standing: true,
    says: 'The states of a run beyond queued.',
    choices: [
      [
        'nine',
        'queued, in_progress, requires_action, cancelling, cancelled, failed, completed, incomplete, expired',
      ],
    ],
  },
  'batch-states': {
    silent: 'States and transitions',
    standing: true,
    says: 'The states of a batch beyond validating.',
    choices: [
      ['eight', 'validating, in_progress, finalizing, completed, failed, expired, cancelling, cancelled'],
    ],
  },
  'policy-keys': {
    silent: 'Rate-limits policy',
    standing: true,
    says: 'The values of key in conditions and group_by.',
    choices: [
      [
        'known',
        'api_key, workspace_id, organisation_id, virtual_key, provider, config, model, prompt and metadata.*',
      ],
    ],
  },

  // Rendering
  'template-syntax': {
    silent: 'Render a prompt',
    standing: true,
    says: 'How a template names its variables.',
    choices: [['mustache', 'Mustache, with text put in verbatim: nothing is escaped']],
  },
  'missing-variable': {
    silent: 'Render a prompt',
    says: 'A template names a variable that is missing or null.',
    choices: [
      ['empty', 'rendered as empty text'],
      ['400', '400 that lists the names'],
    ],
  },
  'root-messages': {
    silent: 'Render a prompt',
    says: 'messages at the root of the body of a render.',
    choices: [
      ['replace-template', "replace the template's"],
      ['template-wins', "the template's win"],
    ],
  },
  'root-messages-rendered': {
    silent: 'Render a prompt',
    standing: true,
    says: 'Template tags in messages at the root of the body of a render.',
    choices: [['verbatim', 'not rendered: such messages are data']],
  },
  'hyperparameter-precedence': {
    silent: 'Render a prompt',
    standing: true,
    says: 'A hyperparameter that both the template and the request set.',
    choices: [['request', 'has the value of the request']],
  },
  'render-reserved-keys': {
    silent: 'Render a prompt',
    standing: true,
    says: 'Keys at the root of the body of a render that are not passed on, beside hyperparameters.',
    choices: [['left-out', 'variables, and prompt_id, which one real client adds']],
  },
  'prompt-version': {
    silent: 'Render a prompt',
    says: 'A prompt id with a suffix: id@3, id@latest, id@label.',
    choices: [['suffix', 'picks that version; without a suffix it is the published one']],
  },
  'recursive-partial': {
    silent: 'Render a prompt',
    says: 'A partial that includes itself.',
    choices: [['400', '400 that names the chain']],
  },
  'render-size': {
    silent: 'Limits',
    says: 'A rendering that would take more than 10,000,000 steps or characters, or nest more than 500 sections and partials.',
    choices: [['400', '400']],
  },
});

/** The id of one assumption, for instance `'unknown-cursor'`. */
export type AssumptionId = keyof typeof assumptions;

/** The values that one assumption can take, for instance `'404' | '400' | 'empty-page'`. */
export type ChoiceOf<Id extends AssumptionId> = (typeof assumptions)[Id]['choices'][number][0];

/** What a user switches: assumption ids with the value wanted. What is not named keeps its default. */
export type AssumptionChoices = { readonly [Id in AssumptionId]?: ChoiceOf<Id> };

/**
 * Takes the value of one assumption for the answer under way, and marks the reply with it. A standing assumption marks
 * nothing: a call whose value is not used only says where the code relies on it, and a test holds that it is reached.
 */
export type Assume = <Id extends AssumptionId>(id: Id) => ChoiceOf<Id>;

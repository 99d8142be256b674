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

const define = <const Registry extends Readonly<Record<string, Assumption>>>(registry: Registry): Registry =>
  registry;

/** All assumptions, by id. Code never decides anything else where the contract says nothing. */
export const assumptions = define({
  // Identity
  'api-keys': {
    section: 'Authentication',
    standing: true,
    description: 'Which values of the header x-gateway-api-key are accepted.',
    choices: [
      ['any', 'any value that is not empty'],
      ['listed', 'only the keys that the scenario or the options list'],
    ],
  },
  'missing-api-key': {
    section: 'Authentication',
    description: 'A call without x-gateway-api-key is refused.',
    choices: [['401', '401, code 03']],
  },
  'unknown-api-key': {
    section: 'Authentication',
    description: 'If the accepted API keys are listed, a call with any other key is refused.',
    choices: [['401', '401, code 03']],
  },
  'expired-api-key': {
    section: 'Authentication',
    description: 'A call with an API key that the scenario marks as expired is refused.',
    choices: [['401', '401, code 01']],
  },
  'forbidden-api-key': {
    section: 'Authentication',
    description: 'A call is refused if the scenario limits its API key to other operations.',
    choices: [['403', '403, code 033']],
  },
  'missing-virtual-key': {
    section: 'Authentication',
    description: 'How a list call without x-gateway-virtual-key is answered.',
    choices: [
      ['400', '400, naming the header'],
      ['ignored', 'as if the header were there'],
    ],
  },
  'unknown-virtual-key': {
    section: 'Authentication',
    description:
      'How a list call is answered if its virtual key is not one of the listed ones. Without a list, every virtual key is accepted.',
    choices: [
      ['400', '400, naming the key'],
      ['ignored', 'as if the key were accepted'],
    ],
  },
  'beta-header': {
    section: 'Versioning',
    standing: true,
    description:
      'Whether a call of the run list needs the header OpenAI-Beta or Vendor-Beta with the value assistants=v2.',
    choices: [
      ['accepted', 'accepted, but not required'],
      ['required', 'required: without it, 400, code invalid_beta'],
    ],
  },
  bearer: {
    section: 'Authentication',
    standing: true,
    description: 'The header Authorization: Bearer, which real clients always send, has no effect.',
    choices: [['ignored', 'not read']],
  },
  'request-id': {
    section: 'Events',
    standing: true,
    description:
      'Every reply has an x-request-id, and an x-gateway-trace-id: the one of the request (up to 256 printable ASCII characters) or a new one.',
    choices: [
      ['seeded', 'made from the seed and the number of requests before, so the same calls get the same ids'],
    ],
  },

  'session-name': {
    section: 'None: sessions are a feature of the mock',
    description: 'A call with an invalid session name is refused.',
    choices: [['400', '400']],
  },
  'session-required': {
    section: 'None: sessions are a feature of the mock',
    description: 'If the gateway requires sessions, a call without one is refused.',
    choices: [['400', '400']],
  },
  'session-removed': {
    section: 'None: sessions are a feature of the mock',
    description: 'A call to a session that was removed because there were too many is refused.',
    choices: [['410', '410, until sessions.create creates the session again']],
  },
  'sessions-in-use': {
    section: 'None: sessions are a feature of the mock',
    description:
      'A call to a new session is refused if there are as many as there may be, and all are in use.',
    choices: [['503', '503']],
  },
  'session-lost': {
    section: 'None: sessions are a feature of the mock',
    description:
      'With a state directory, a call to a session is refused if the server was killed before it wrote the last change, or the file cannot be used.',
    choices: [['410', '410, until sessions.create creates the session again']],
  },

  // Errors
  'check-order': {
    section: 'Errors',
    standing: true,
    description: 'If several things are wrong with a call, the first failing check decides the reply.',
    choices: [
      [
        'routing-first',
        'in this order: routing (404, 405), fault, API key, virtual key, parameters, body, existence',
      ],
    ],
  },
  'error-body': {
    section: 'Errors',
    description: 'All errors of all operations have the same body.',
    choices: [
      [
        'combined',
        'success, status, message, error and data, so that each family of clients finds the fields it reads',
      ],
    ],
  },
  'unknown-thread': {
    section: 'Errors',
    description: 'What the run list answers if the thread does not exist.',
    choices: [
      ['404', '404'],
      ['empty-list', 'an empty list'],
    ],
  },
  'unknown-job': {
    section: 'Errors',
    description: 'What the checkpoint list answers if the fine-tuning job does not exist.',
    choices: [
      ['404', '404, param fine_tune_id, code fine_tune_not_found'],
      ['empty-list', 'an empty list'],
    ],
  },
  'unknown-prompt': {
    section: 'Errors',
    description: 'A render of a prompt, or of a version, that does not exist is refused.',
    choices: [['404', '404']],
  },
  'unknown-policy': {
    section: 'Errors',
    description:
      'A call is refused if the policy does not exist, or has another status than the requested one.',
    choices: [['404', '404']],
  },
  'policy-id-format': {
    section: 'Errors',
    description: 'A policy id that is not a uuid is refused. The version digits of the uuid do not matter.',
    choices: [['400', '400, param rateLimitsPolicyId']],
  },
  'policy-status-value': {
    section: 'Errors',
    description: 'A status other than active and archived is refused.',
    choices: [['400', '400, param status, code invalid_value']],
  },
  'limit-too-large': {
    section: 'Errors',
    description: 'A limit above the maximum is refused.',
    choices: [['400', '400, param limit, code integer_above_max_value']],
  },
  'limit-too-small': {
    section: 'Errors',
    description: 'A limit below the minimum is refused.',
    choices: [['400', '400, param limit, code integer_below_min_value']],
  },
  'limit-format': {
    section: 'Errors',
    description: 'A limit that is not an integer in the digits 0 to 9 is refused.',
    choices: [['400', '400, param limit, code invalid_type']],
  },
  'checkpoint-limit-bounds': {
    section: 'Limits',
    description: 'Which values of limit the checkpoint list accepts.',
    choices: [
      ['at-least-1', '1 and above, without a maximum'],
      ['1-to-100', '1 to 100'],
    ],
  },
  'order-value': {
    section: 'Errors',
    description: 'An order other than asc and desc is refused. Letter case matters.',
    choices: [['400', '400, param order, code invalid_value']],
  },
  'unknown-cursor': {
    section: 'Errors',
    description: 'How a list call is answered if after or before is not the id of a record of the list.',
    choices: [
      ['404', '404, param after or before'],
      ['400', '400, param after or before'],
      ['empty-page', 'an empty page'],
    ],
  },
  'blank-parameter': {
    section: 'Endpoints',
    standing: true,
    description: 'A query parameter with an empty value, which real clients send for null, counts as absent.',
    choices: [['absent', 'treated as absent']],
  },
  'repeated-parameter': {
    section: 'Endpoints',
    description: 'A query parameter of the contract that is sent twice is refused.',
    choices: [['400', '400, param names it']],
  },
  'unknown-parameter': {
    section: 'Endpoints',
    standing: true,
    description: 'How a query parameter that is not in the contract is treated.',
    choices: [
      ['ignored', 'ignored'],
      ['400', '400, param names it'],
    ],
  },
  'path-encoding': {
    section: 'Errors',
    description: 'A path parameter with invalid percent-encoding is refused.',
    choices: [['400', '400, param names it']],
  },
  'body-format': {
    section: 'Errors',
    description: 'A body that is not a JSON object in UTF-8 is refused.',
    choices: [['400', '400']],
  },
  'body-depth': {
    section: 'Limits',
    description: 'A body that is nested more than 500 levels deep is refused.',
    choices: [['400', '400']],
  },
  'body-keys': {
    section: 'Limits',
    description: 'A body with more than 1,000 keys at its root is refused.',
    choices: [['400', '400']],
  },
  'body-type': {
    section: 'Errors',
    description: 'A body is refused if its content type is given and is not JSON.',
    choices: [['415', '415']],
  },
  'body-size': {
    section: 'Limits',
    description: 'A body of more than 10 MB (10,000,000 bytes) is refused.',
    choices: [['413', '413']],
  },
  'variables-required': {
    section: 'Errors',
    description: 'A render is refused if variables is missing from the body, or is not an object.',
    choices: [['400', '400, param variables']],
  },
  'nested-hyperparameters': {
    section: 'Errors',
    description: 'A render is refused if the body has a field named hyperparameters.',
    choices: [['400', '400, saying that hyperparameters belong at the root']],
  },
  'hyperparameter-type': {
    section: 'Errors',
    description: "How a hyperparameter is treated if its JSON type differs from the contract's.",
    choices: [
      ['400', '400, param is its path'],
      ['passed-through', 'kept and returned, as a lenient gateway would'],
    ],
  },
  'hyperparameter-null': {
    section: 'Endpoints',
    standing: true,
    description: 'A hyperparameter that is null, where the contract does not allow null, counts as absent.',
    choices: [['not-sent', 'treated as absent']],
  },
  'unknown-hyperparameter': {
    section: 'Endpoints',
    standing: true,
    description:
      'Root keys of a render body that the contract does not name are returned like hyperparameters.',
    choices: [['kept', 'kept, like unknown keys inside objects']],
  },
  'unknown-path': {
    section: 'Errors',
    description: 'A call to a path that no operation has is refused.',
    choices: [['404', '404, naming the nearest operation and the difference']],
  },
  'method-not-served': {
    section: 'Errors',
    description: 'A call to the path of an operation with another method is refused.',
    choices: [['405', '405, with Allow']],
  },

  'http-syntax': {
    section: 'Errors',
    description:
      'A request is refused if it is not valid HTTP, does not arrive in time, or cannot be served by any gateway.',
    choices: [['refused', '400, 405, 408, 417 or 431, and the connection is closed']],
  },

  // Quotas
  'quota-window': {
    section: 'Limits',
    standing: true,
    description: 'How rate-limit policies count, if the scenario enforces them.',
    choices: [
      [
        'fixed',
        'per group, in windows of one minute, hour or day of the clock; only calls that would get 200 count; a render costs one token per 4 characters of its messages',
      ],
    ],
  },
  'quota-exceeded': {
    section: 'Errors',
    description: 'A call that exceeds an active rate-limits policy is refused, and does not count.',
    choices: [['429', '429, code rate_limit_exceeded, with x-ratelimit-* and retry-after']],
  },
  'retry-after-cap': {
    section: 'Errors',
    description:
      'What retry-after says if a rate-limits policy refuses a call. The time in x-ratelimit-reset-* is always the true one.',
    choices: [
      ['1s', 'at most 1 second, since real clients wait that long'],
      ['none', 'the true time until the reset'],
    ],
  },

  // Lists
  'total-order': {
    section: 'Endpoints',
    standing: true,
    description: 'Records with the same created_at are in the order of their creation.',
    choices: [['creation-sequence', 'in order of creation, so asc is exactly the reverse of desc']],
  },
  'newest-first': {
    section: 'Endpoints',
    standing: true,
    description: 'Batches and checkpoints are listed newest first.',
    choices: [['desc', 'newest first']],
  },
  'before-page': {
    section: 'Endpoints',
    description: 'Which records a page before a cursor has.',
    choices: [
      [
        'adjacent',
        'the records directly ahead of the cursor, in the current order; has_more is about those ahead of the page',
      ],
    ],
  },
  'after-and-before': {
    section: 'Endpoints',
    description: 'Which records a call with both after and before gets.',
    choices: [['between', 'the records between them, starting at after']],
  },
  'page-ends': {
    section: 'List envelope',
    standing: true,
    description: 'first_id and last_id are the ids of the first and last record in data.',
    choices: [['ends-of-data', 'both ends of data']],
  },
  'empty-run-ends': {
    section: 'List envelope',
    description:
      'The value of first_id and last_id on an empty page of runs, where the contract requires strings.',
    choices: [
      ['empty-string', 'the empty string'],
      ['null', 'null, as in recorded traffic'],
    ],
  },
  'absent-values': {
    section: 'Resources and their fields',
    standing: true,
    description: 'What a run or batch has in a field that does not apply to it.',
    choices: [
      ['null', 'null, never absent'],
      ['omitted', 'absent'],
    ],
  },

  // Records
  'timestamp-unit': {
    section: 'Resources and their fields',
    standing: true,
    description: 'The integer timestamps of runs, batches and checkpoints are in seconds.',
    choices: [['seconds', 'seconds since 1970']],
  },
  'absent-metrics': {
    section: 'Fine-tuning job checkpoint',
    standing: true,
    description: 'A checkpoint may lack its validation metrics.',
    choices: [['validation', 'valid_* and full_valid_* may be absent; the others are always present']],
  },

  // Lifecycles
  'run-states': {
    section: 'States and transitions',
    standing: true,
    description: 'Which states a run can have: the contract names only queued.',
    choices: [['known', runStates.join(', ')]],
  },
  'batch-states': {
    section: 'States and transitions',
    standing: true,
    description: 'Which states a batch can have: the contract names only validating.',
    choices: [['known', batchStates.join(', ')]],
  },
  'policy-keys': {
    section: 'Rate-limits policy',
    standing: true,
    description: 'Which keys occur in the conditions and group_by of a policy.',
    choices: [
      [
        'known',
        'api_key, workspace_id, organisation_id, virtual_key, provider, config, model, prompt and metadata.*',
      ],
    ],
  },

  // Rendering
  'template-syntax': {
    section: 'Render a prompt',
    standing: true,
    description: 'Prompt templates are written in Mustache.',
    choices: [['mustache', 'Mustache; values are inserted verbatim, without escaping']],
  },
  'missing-variable': {
    section: 'Render a prompt',
    description: 'How a variable of the template is rendered if it is missing or null.',
    choices: [
      ['empty', 'as empty text'],
      ['400', '400, listing the names'],
    ],
  },
  'root-messages': {
    section: 'Render a prompt',
    description: "Whether messages in the body of a render replace the template's messages.",
    choices: [
      ['replace-template', "they replace the template's messages"],
      ['template-wins', "the template's messages win"],
    ],
  },
  'root-messages-rendered': {
    section: 'Render a prompt',
    standing: true,
    description: 'Template tags in the messages of a render body are not rendered.',
    choices: [['verbatim', 'kept verbatim: such messages are data']],
  },
  'hyperparameter-precedence': {
    section: 'Render a prompt',
    standing: true,
    description:
      'If the template and the request set the same hyperparameter, the value of the request is used.',
    choices: [['request', 'the request wins']],
  },
  'render-reserved-keys': {
    section: 'Render a prompt',
    standing: true,
    description: 'Some keys of a render body are not returned as hyperparameters.',
    choices: [['left-out', 'variables, and prompt_id, which one real client adds']],
  },
  'prompt-version': {
    section: 'Render a prompt',
    description: 'A suffix of the prompt id picks a version: id@3, id@latest, id@label.',
    choices: [['suffix', 'the version of the suffix; without a suffix, the published version']],
  },
  'recursive-partial': {
    section: 'Render a prompt',
    description: 'A render is refused if a partial includes itself.',
    choices: [['400', '400, naming the chain of partials']],
  },
  'render-size': {
    section: 'Limits',
    description:
      'A render is refused if it takes more than 10,000,000 steps and characters, or nests more than 500 sections and partials.',
    choices: [['400', '400']],
  },
});

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

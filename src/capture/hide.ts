// How the records of an account are hidden: by the names of their fields.
import { mapTexts } from '../conformance/texts.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import type { Replacements } from './replacements.ts';

/** Replaces what may be secret in a value. */
export type Hide = (value: unknown, replacements: Replacements) => unknown;

/** Changes a text. */
type Change = (text: string, replacements: Replacements) => string;

/** Replaces all texts of a value. The names of fields are kept, except for ids in them. */
export const hideAll: Hide = (value, given) => mapTexts(value, given.text, given.idsIn);

/** Changes a text. A value of another type is hidden completely. */
const ofText =
  (change: Change): Hide =>
  (value, given) =>
    typeof value === 'string' ? change(value, given) : hideAll(value, given);

/** Keeps a text of a harmless form, such as a date-time, and replaces any other. */
const form =
  (pattern: RegExp): Change =>
  (text, given) =>
    pattern.test(text) ? text : given.text(text);

/** Keeps a known word, and replaces any other text. */
const oneOf = (words: string): Change => {
  const known = new Set(words.split(' '));
  return (text, given) => (known.has(text) ? text : given.text(text));
};

const id =
  (prefix: string): Change =>
  (text, given) =>
    given.id(text, prefix);

const functionName: Change = (text, given) => given.name(text, 'function');

/** Replaces only the ids in a key: the rest are usual words, or names from the program. */
const key: Change = (text, given) => given.idsIn(text);

const hidden: Change = (text, given) => given.text(text);

/** A state or an error code, whose values the contract does not list. */
const word = form(/^[a-z][a-z0-9_.]{0,63}$/);

/** Keeps a model. The name of a fine-tuned model contains those of an organisation and a project, which are replaced. */
const model: Change = (text, given) => {
  if (!text.startsWith('ft:')) return /^[\w.:/@+-]{1,200}$/.test(text) ? given.idsIn(text) : given.text(text);
  const [, base = '', ...rest] = text.split(':');
  const step = /^ckpt-step-\d+$/.test(rest.at(-1) ?? '') ? rest.splice(-1) : [];
  return ['ft', base, given.name(rest.join(':'), 'model'), ...step].join(':');
};

/** The JSON text of a call's arguments: its keys are those of the function, its values the account's. */
const callArguments: Change = (text, given) => {
  try {
    const parsed: unknown = JSON.parse(text);
    return isMapping(parsed) ? JSON.stringify(hideAll(parsed, given)) : given.text(text);
  } catch {
    return given.text(text);
  }
};

/** A tool choice: any other text is the name of a function. */
const choice: Change = (text, given) =>
  /^(none|auto|required)$/.test(text) ? text : given.name(text, 'function');

const dateTime = form(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/);

/**
 * The text of each field that is known: `.status` only at the root, `function.name` only inside the field `function`, `type`
 * wherever fields are known. A field may also be an object or an array, in which fields are known as well.
 */
const changes: Readonly<Record<string, Change>> = {
  '.id': id('id_'), // all of them are known before
  'tool_calls.id': id('call_'),
  '.thread_id': id('thread_'),
  '.assistant_id': id('asst_'),
  '.fine_tuning_job_id': id('ftjob-'),
  '.input_file_id': id('file-'),
  '.output_file_id': id('file-'),
  '.error_file_id': id('file-'),
  '.workspace_id': id(''),
  '.organisation_id': id(''),
  object: oneOf('thread.run batch list fine_tuning.job.checkpoint policy_rate_limits'),
  '.status': word,
  'last_error.code': word,
  'errors.data.code': word,
  reason: oneOf('max_completion_tokens max_prompt_tokens'),
  type: oneOf(
    'submit_tool_outputs function code_interpreter file_search custom auto last_messages disabled enabled requests tokens text json_object json_schema',
  ),
  unit: oneOf('rpm rph rpd'),
  role: oneOf('system developer user assistant tool function'),
  reasoning_effort: oneOf('none minimal low medium high'),
  service_tier: oneOf('auto default flex priority'),
  response_format: oneOf('none auto text json_object json_schema'),
  '.endpoint': form(/^\/v1(\/[a-z_]+)+$/),
  '.completion_window': form(/^\d+[a-z]$/),
  '.created_at': dateTime,
  '.last_updated_at': dateTime,
  '.model': model,
  '.fine_tuned_model_checkpoint': model,
  'function.arguments': callArguments,
  'conditions.key': key,
  'group_by.key': key,
  'function.name': functionName,
  'functions.name': functionName,
  'tool_choice.name': functionName,
  'function_call.name': functionName,
  'json_schema.name': (text, given) => given.name(text, 'schema'),
  tool_choice: choice,
  function_call: choice,
  ...Object.fromEntries(
    [
      ...[
        'required_action',
        'submit_tool_outputs',
        'tool_calls',
        'function',
        'functions',
        'tools',
        'messages',
      ],
      ...['last_error', 'incomplete_details', 'truncation_strategy', 'errors', 'errors.data', 'json_schema'],
      ...['thinking', 'conditions', 'group_by'],
    ].map((container) => [container, hidden]),
  ),
};

/** Hides a value of a known field. */
const hideKnown = (value: unknown, given: Replacements, field = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => hideKnown(item, given, field));
  if (typeof value === 'string') return (ownValue(changes, field) ?? hidden)(value, given);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, one]) => {
      const known = [`${field}.${inner}`, inner].find((path) => Object.hasOwn(changes, path));
      if (/^(?:functions?\.parameters|json_schema\.schema)$/.test(`${field}.${inner}`))
        return [inner, hideSchema(one, given)];
      if (field === 'conditions' && inner === 'value' && value.key === 'model')
        return [inner, ofText(model)(one, given)];
      return [inner, known === undefined ? hideAll(one, given) : hideKnown(one, given, known)];
    }),
  );
};

/** Hides a record of any kind, or a rendered body. Numbers are always kept. */
export const hideRecord: Hide = (value, given) => hideKnown(value, given);

/**
 * Hides a JSON Schema. Its structure and the names of properties are kept, except for ids and addresses in them; texts and
 * listed values are replaced. A property may be named like a keyword, and a default value may look like a schema.
 */
const hideSchema: Hide = (value, given) => {
  if (Array.isArray(value)) return value.map((item) => hideSchema(item, given));
  if (!isMapping(value)) return hideAll(value, given);
  const hideInner = (name: string, inner: unknown) => (ownValue(keywords, name) ?? hideSchema)(inner, given);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [given.idsIn(name), hideInner(name, inner)]),
  );
};

/** Hides a mapping from names to schemas. */
const hideNamed =
  (hide: Hide): Hide =>
  (value, given) =>
    isMapping(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [given.idsIn(name), hide(inner, given)]),
        )
      : hideSchema(value, given);

/** The names of properties. */
const names: Hide = (value, given) =>
  Array.isArray(value) ? value.map((item) => ofText(key)(item, given)) : hideAll(value, given);

const type = ofText(oneOf('string number integer boolean object array null'));
const schemas = hideNamed(hideSchema);

const keywords: Readonly<Record<string, Hide>> = {
  properties: schemas,
  patternProperties: schemas,
  $defs: schemas,
  definitions: schemas,
  dependentSchemas: schemas,
  dependentRequired: hideNamed(names),
  required: names,
  type: (value, given) =>
    Array.isArray(value) ? value.map((item) => type(item, given)) : type(value, given),
  format: ofText(
    form(
      /^(?:date-time|date|time|duration|(?:idn-)?(?:email|hostname)|ipv[46]|[iu]ri(?:-reference)?|uri-template|uuid|(?:relative-)?json-pointer|regex|int32|int64|float|double|byte|binary)$/,
    ),
  ),
  $ref: ofText((text, given) => (text.startsWith('#') ? given.idsIn(text) : given.text(text))),
  default: hideAll,
  const: hideAll,
  enum: hideAll,
  examples: hideAll,
  example: hideAll,
};

// How the ids and texts of records are replaced: by the names of their fields.
import { isMapping, mapTexts, mapValues, ownValue } from '../../core/util/mapping.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import type { Replacements } from './replacements.ts';

/** Replaces what may be secret in a text. */
type Change = (text: string, replacements: Replacements) => string;

/** Replaces all texts of a value. The names of fields are kept, except for ids in them. */
export const hideAll = (value: unknown, replacements: Replacements): unknown =>
  mapTexts(value, replacements.text, replacements.idsIn);

/** Keeps a text of a harmless form, such as a date-time, and replaces any other text. */
const keep =
  (form: RegExp): Change =>
  (text, replacements) =>
    form.test(text) ? text : replacements.text(text);

const words = (list: string): Change => keep(new RegExp(`^(?:${list.replaceAll(' ', '|')})$`));

const id =
  (prefix: string): Change =>
  (text, replacements) =>
    replacements.id(text, prefix);

const hidden: Change = (text, replacements) => replacements.text(text);

/** Replaces only the ids in a key. The other parts are common words, or names from the user's program. */
const key: Change = (text, replacements) => replacements.idsIn(text);

/** A state or an error code, whose values the contract does not list. */
const state = keep(/^[a-z][a-z0-9_.]{0,63}$/);

/** Keeps a model. The name of a fine-tuned model contains the names of an organisation and a project, which are replaced. */
const model: Change = (text, replacements) => {
  if (!text.startsWith('ft:'))
    return /^[\w.:/@+-]{1,200}$/.test(text) ? replacements.idsIn(text) : replacements.text(text);
  const [, base = '', ...rest] = text.split(':');
  const step = /^ckpt-step-\d+$/.test(rest.at(-1) ?? '') ? rest.splice(-1) : [];
  return ['ft', base, replacements.id(rest.join(':'), 'model_'), ...step].join(':');
};

/** The JSON text of a call's arguments: the function defines its keys, so only its values are replaced. */
const callArguments: Change = (text, replacements) => {
  const parsed = tryParse(text);
  return isMapping(parsed) ? JSON.stringify(hideAll(parsed, replacements)) : replacements.text(text);
};

/** A tool choice: any other text is the name of a function. */
const choice: Change = (text, replacements) =>
  /^(none|auto|required)$/.test(text) ? text : replacements.id(text, 'function_');

const dateTime = keep(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/);

/**
 * How the text of each known field changes: `.status` only at the root, `function.name` only inside the field `function`, `type`
 * in all known objects. If such a field is an object or an array, its fields are known as well.
 */
const changes: Readonly<Record<string, Change>> = {
  '.id': id('id_'), // they were replaced before, with better prefixes
  'tool_calls.id': id('call_'),
  '.thread_id': id('thread_'),
  '.assistant_id': id('asst_'),
  '.fine_tuning_job_id': id('ftjob-'),
  '.input_file_id': id('file-'),
  '.output_file_id': id('file-'),
  '.error_file_id': id('file-'),
  '.workspace_id': id(''),
  '.organisation_id': id(''),
  object: words('thread.run batch list fine_tuning.job.checkpoint policy_rate_limits'),
  '.status': state,
  'last_error.code': state,
  'errors.data.code': state,
  reason: words('max_completion_tokens max_prompt_tokens'),
  type: words(
    'submit_tool_outputs function code_interpreter file_search custom auto last_messages disabled enabled requests tokens text json_object json_schema image_url input_audio file refusal',
  ),
  unit: words('rpm rph rpd'),
  role: words('system developer user assistant tool function'),
  reasoning_effort: words('none minimal low medium high'),
  service_tier: words('auto default flex priority'),
  response_format: words('none auto text json_object json_schema'),
  '.endpoint': keep(/^\/v1(\/[a-z_]+)+$/),
  '.completion_window': keep(/^\d+[a-z]$/),
  '.created_at': dateTime,
  '.last_updated_at': dateTime,
  '.model': model,
  '.fine_tuned_model_checkpoint': model,
  'function.arguments': callArguments,
  'conditions.key': key,
  'group_by.key': key,
  'function.name': id('function_'),
  'functions.name': id('function_'),
  'tool_choice.name': id('function_'),
  'function_call.name': id('function_'),
  'json_schema.name': id('schema_'),
  tool_choice: choice,
  function_call: choice,
};

/** The objects and arrays whose fields are known. */
const containers =
  /^(?:required_action|submit_tool_outputs|tool_calls|functions?|tools|messages|messages\.content|last_error|incomplete_details|truncation_strategy|errors|errors\.data|json_schema|thinking|conditions|group_by)$/;

const schemaFields = /^(?:functions?\.parameters|json_schema\.schema)$/;

/** Hides a record of any kind, or a rendered body. Numbers are always kept. */
export const hideRecord = (value: unknown, replacements: Replacements, field = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => hideRecord(item, replacements, field));
  if (typeof value === 'string') return (ownValue(changes, field) ?? hidden)(value, replacements);
  if (!isMapping(value)) return value;
  return mapValues(value, (inner, name) => {
    const path = `${field}.${name}`;
    if (schemaFields.test(path)) return hideSchema(inner, replacements);
    if (path === 'conditions.value' && value.key === 'model')
      return hideRecord(inner, replacements, '.model');
    const knownField = [path, name].find((known) => Object.hasOwn(changes, known) || containers.test(known));
    return knownField === undefined
      ? hideAll(inner, replacements)
      : hideRecord(inner, replacements, knownField);
  });
};

/** Keeps the types and formats of JSON Schema. */
const schemaWords = words(
  'string number integer boolean object array null date-time date time duration email hostname idn-email idn-hostname ipv4 ipv6 uri iri uri-reference iri-reference uri-template uuid json-pointer relative-json-pointer regex int32 int64 float double byte binary',
);

/**
 * Hides a JSON Schema. Its structure, its types and formats, its own references, and the names of properties are kept, except
 * for ids in them; all other texts are replaced, also listed values.
 */
const hideSchema = (value: unknown, replacements: Replacements): unknown => {
  const names = new Set<string>(); // `required` lists some of them
  const addName = (name: string): string => {
    names.add(name);
    return name;
  };
  mapTexts(value, (text) => text, addName);
  return mapTexts(
    value,
    (text, keyword) => {
      const isOwn = keyword === '$ref' && /^#(?:\/|$)/.test(text);
      return isOwn || names.has(text) ? replacements.idsIn(text) : schemaWords(text, replacements);
    },
    replacements.idsIn,
  );
};

// The form of a new record: its fields by the schema, and what is written in them.
import { toJsonText } from '../../util/json.ts';
import { isMapping, type Mapping } from '../../util/mapping.ts';
import { messageOf } from '../../util/message-of.ts';
import { type FieldForm, type FieldSchema, formOf, fromDraft, toDraft } from './data-drafts.ts';

/** A field of the form, or a nested object with fields of its own. */
export interface FormField {
  readonly name: string;
  /** With the names above it, as messages of the server have it: `usage.total_tokens`. */
  readonly path: string;
  readonly isRequired: boolean;
  readonly form: FieldForm;
  /** The only possible value, if there is just one. It is not shown. */
  readonly constant?: unknown;
  /** What the server makes of it if it is left out; undefined if that is not known. */
  readonly default?: unknown;
  /** The fields of a nested object. */
  readonly fields?: readonly FormField[] | undefined;
}

/** What is written in each field, by its path. A field without a draft is left out of the record. */
export type Drafts = Readonly<Record<string, string>>;

/** The fields of an object: the required ones first, nested objects last. */
export const toFormFields = (
  { properties = {}, required = [] }: FieldSchema,
  above = '',
): readonly FormField[] =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const path = above + name;
      const object = objectIn(schema);
      return {
        name,
        path,
        isRequired: required.includes(name),
        form: formOf(name, schema, undefined),
        constant: schema.const,
        default: schema.default,
        fields: object && toFormFields(object, `${path}.`),
      };
    })
    .toSorted((a, b) => orderOf(a) - orderOf(b));

const orderOf = ({ isRequired, fields }: FormField): number =>
  isRequired ? 0 : fields === undefined ? 1 : 2;

/** The schema of a nested object whose fields are known; it may be null instead. */
const objectIn = (schema: FieldSchema): FieldSchema | undefined => {
  const [object, ...others] = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
  return others.length === 0 && Object.keys(object?.properties ?? {}).length > 0 ? object : undefined;
};

/** The record that was written. @throws Error with all problems, as the server words them: `tools: Invalid JSON: …` */
export const toValues = (fields: readonly FormField[], drafts: Drafts): Mapping => {
  const problems: string[] = [];
  const read = ({ path, form, fields: inner }: FormField): unknown => {
    if (inner !== undefined) return readAll(inner);
    const draft = drafts[path] ?? '';
    if (draft.trim() === '') return undefined;
    try {
      return fromDraft(form, draft);
    } catch (error) {
      problems.push(`${path}: ${messageOf(error)}`);
      return undefined;
    }
  };
  /** Adds the required constants only if the object has another value. */
  const readAll = (all: readonly FormField[]): Mapping | undefined => {
    const given = all
      .filter(({ constant }) => constant === undefined)
      .map((field) => [field.name, read(field)] as const)
      .filter(([, value]) => value !== undefined);
    const constants = all.filter(({ constant, isRequired }) => constant !== undefined && isRequired);
    return given.length === 0
      ? undefined
      : Object.fromEntries([...constants.map(({ name, constant }) => [name, constant] as const), ...given]);
  };
  const values = readAll(fields) ?? {};
  if (problems.length > 0) throw new Error(problems.join('; '));
  return values;
};

/** The drafts of a record, and the paths of the values that the form cannot show, such as an empty text. */
export const toDrafts = (
  fields: readonly FormField[],
  values: Mapping,
  above = '',
): { readonly drafts: Drafts; readonly lost: readonly string[] } => {
  const drafts: Record<string, string> = {};
  const lost: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) lost.push(above + name);
    else if (field.constant !== undefined) {
      if (field.constant !== value) lost.push(field.path);
    } else if (value === field.default) continue;
    else if (field.fields !== undefined && isMapping(value) && Object.keys(value).length > 0) {
      const inner = toDrafts(field.fields, value, `${field.path}.`);
      Object.assign(drafts, inner.drafts);
      lost.push(...inner.lost);
    } else {
      const draft = toDraftThatFits(field, value);
      if (draft === undefined) lost.push(field.path);
      else drafts[field.path] = draft;
    }
  }
  return { drafts, lost };
};

/** Undefined if the field cannot show the value. */
const toDraftThatFits = ({ form, fields }: FormField, value: unknown): string | undefined => {
  if (fields !== undefined || (form.editor === 'choice' && ![...form.choices, null].includes(value)))
    return undefined;
  const draft = toDraft(form, value);
  const isSame = draft.trim() !== '' && toJsonText(fromDraft(form, draft)) === toJsonText(value);
  return isSame ? draft : undefined;
};

/** The parts of an error that are about a field, by its path, and the rest. */
export const splitError = (
  fields: readonly FormField[],
  message: string,
): { readonly byPath: Readonly<Record<string, string>>; readonly rest: string | undefined } => {
  const paths = pathsOf(fields);
  const byPath: Record<string, string> = {};
  const rest: string[] = [];
  let last: string | undefined;
  for (const part of message
    .replace(/^Failed to (?:create|update) the [\w -]+(?: ".*?")?: /s, '')
    .split('; ')) {
    // The longest name: an error about `usage.total_tokens` is not about `usage`.
    const path = paths
      .filter((one) => part.startsWith(one) && /^[:.[ ]/.test(part.slice(one.length)))
      .sort((a, b) => b.length - a.length)[0];
    if (path !== undefined) byPath[path] = [byPath[path] ?? [], part].flat().join('; ');
    else if (last !== undefined)
      byPath[last] += `; ${part}`; // it was within a value
    else rest.push(part);
    last = path ?? last;
  }
  return {
    byPath,
    rest: rest.length === 0 ? undefined : Object.keys(byPath).length === 0 ? message : rest.join('; '),
  };
};

const pathsOf = (fields: readonly FormField[]): string[] =>
  fields.flatMap(({ path, fields: inner }) => [path, ...pathsOf(inner ?? [])]);

/** A nested object that is edited field by field. */
export interface Group {
  readonly field: FormField;
  readonly drafts: Drafts;
}

/** Undefined if the schema of a field has no fields of its own, or none for something in the value. */
export const toGroup = (name: string, schema: FieldSchema | undefined, value: unknown): Group | undefined => {
  const [field] = schema === undefined ? [] : toFormFields({ properties: { [name]: schema } });
  if (field?.fields === undefined) return undefined;
  const { drafts, lost } = toDrafts([field], { [name]: value });
  return lost.length === 0 || value === null || value === undefined ? { field, drafts } : undefined;
};

/** Null if nothing is written. @throws Error with all problems */
export const fromGroup = ({ field, drafts }: Group): unknown => toValues([field], drafts)[field.name] ?? null;

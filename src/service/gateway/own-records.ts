// A user's own kinds of records: `defineRecords`, and how they become kinds of the world.
import * as z from 'zod';
import { checkValue } from '../../core/util/check-value.ts';
import { parseJson, toJsonText } from '../../core/util/json.ts';
import { isMapping, ownValue } from '../../core/util/mapping.ts';
import { describeError, type ValidationError } from '../../core/util/validation-error.ts';
import { drawId } from '../../core/world/faker.ts';
import type { Kind } from '../../core/world/kind.ts';
import { type OwnRecord, ownNameSchema, ownSection } from '../../core/world/own-section.ts';
import { recordIdSchema } from '../../core/world/record-schema.ts';
import type { World } from '../../core/world/world.ts';
import { type CallSchema, callSchema, checkDefinition } from './own-calls.ts';

/** A kind of records that the contract does not have. */
export interface DefinedRecords {
  /** Its name in the plural, such as `files`: its records are `records.own.files`, in a scenario `own: { files: […] }`. */
  readonly name: string;
  /** How the ids of new records begin, such as `file_`. */
  readonly idPrefix: string;
  /** A schema of zod for the fields of a record beside its id and that of its owner. It must accept what it returns. Default: any fields. */
  readonly fields?: CallSchema | undefined;
  /**
   * The kind that owns the records, and the field that has the owner's id: `{ kind: 'threads', field: 'thread_id' }`. Records are
   * deleted with their owner. Default: none.
   */
  readonly owner?: { readonly kind: string; readonly field: string } | undefined;
}

const definition = z.strictObject({
  name: ownNameSchema,
  idPrefix: z.string().regex(/^[\w-]{1,100}$/, 'letters, digits, - and _, such as file_'),
  fields: callSchema.optional(),
  owner: z
    .strictObject({
      kind: z.string(),
      field: z.string().regex(/^(?!id$)[A-Za-z]\w*$/, 'a field, such as thread_id'),
    })
    .optional(),
});

/**
 * Defines a kind of records of your own, for the option `calls`. They belong to the session, as those of the contract do.
 *
 * @throws Error if a part is missing or wrong
 * @example
 * const files = defineRecords({ name: 'files', idPrefix: 'file_' });
 * const createFile = defineCall({
 *   id: 'createFile',
 *   method: 'POST',
 *   path: '/files',
 *   handle: ({ body }, { records }) => records.own.files.create(body),
 * });
 * const gateway = createGateway({ calls: [files, createFile] });
 */
export const defineRecords = (records: DefinedRecords): DefinedRecords => {
  checkDefinition(definition, records, `the records "${String(Object(records).name)}"`);
  return { ...records };
};

/** Whether a value has the parts of records, as `defineRecords` of any copy of the package makes them. */
export const isDefinedRecords = (value: unknown): value is DefinedRecords =>
  definition.safeParse(value).success;

/** The contract's kinds of records, and the user's own. @throws Error if a name is taken, or an owner unknown */
export const withOwnKinds = (kinds: readonly Kind[], defined: readonly DefinedRecords[]): Kind[] => {
  const all = [...kinds];
  const hasOwner = ({ owner }: DefinedRecords): boolean => owner !== undefined;
  for (const records of defined.toSorted((a, b) => Number(hasOwner(a)) - Number(hasOwner(b)))) {
    const fail = (reason: string): never => {
      throw new Error(`Failed to add the records "${records.name}": ${reason}.`);
    };
    if (all.some(({ plural }) => plural === records.name)) fail('others have this name');
    const owner = all.find(({ plural }) => plural === records.owner?.kind);
    const owners = all.filter((kind) => kind.owner === undefined).map(({ plural }) => plural);
    if (records.owner !== undefined && (owner === undefined || owner.owner !== undefined))
      fail(`"${records.owner.kind}" cannot own records. Kinds that can: ${owners.join(', ')}`);
    all.push(toKind(records, owner));
  }
  return all;
};

const toKind = (records: DefinedRecords, ownerKind: Kind | undefined): Kind<OwnRecord, typeof ownSection> => {
  const { name, idPrefix, owner } = records;
  const ownerOf = (record: object): unknown => (owner === undefined ? '' : Reflect.get(record, owner.field));
  const fields = fieldsOf(records);
  return {
    name: `${name} record`,
    plural: name,
    section: ownSection,
    ...(owner && ownerKind && { owner: { kind: ownerKind.name, field: owner.field } }), // a definition names the owner by its plural
    columns: [],
    fields,
    newId: () => drawId(idPrefix),
    seeds: () => [],
    changes: (own, id) => ({
      records: (ownValue(own, name) ?? []).filter((record) => ownerOf(record) === id),
      deleted: [],
    }),
    withChanges: (own, id, { records: changed }) => ({
      ...own,
      [name]: [...(ownValue(own, name) ?? []).filter((record) => ownerOf(record) !== id), ...changed],
    }),
    // A record that was stored before its schema was changed stays as it is.
    write: (record) => ({ record: fields.safeParse(record).data ?? record, transitions: [] }),
  };
};

/** The schema of a record: its id, the id of its owner, and what the user's schema returns for the other fields. */
const fieldsOf = ({ owner, fields = z.looseObject({}) }: DefinedRecords): z.ZodType<OwnRecord> => {
  const ids = z.object({ id: recordIdSchema, ...(owner && { [owner.field]: z.string() }) });
  const schema = fields as z.ZodType; // `checkValue` uses the parts that each version of zod has
  return ids.loose().transform((record, context) => {
    const fixed = ids.parse(record);
    const others = Object.entries(record).filter(([field]) => !Object.hasOwn(fixed, field));
    const { data, errors } = checkValue(schema, Object.fromEntries(others));
    const text = toJsonText(data ?? null);
    const stored: unknown = parseJson(text);
    const problems = errors.map(describeError);
    if (
      errors.length === 0 &&
      (!isMapping(stored) || toJsonText(checkValue(schema, stored).data ?? null) !== text)
    )
      problems.push('its schema does not accept what it returns, as JSON: use a schema that does');
    for (const message of problems) context.addIssue({ code: 'custom', message });
    return { ...fixed, ...Object(stored) };
  });
};

/** Finds the errors in a scenario's records of the user's own kinds. */
export function* findOwnErrors(
  own: Readonly<Record<string, readonly OwnRecord[]>>,
  world: World,
): Generator<ValidationError> {
  for (const kind of world.kinds.filter(({ section }) => section === ownSection))
    for (const [index, record] of (ownValue(own, kind.plural) ?? []).entries()) {
      const path = ['own', kind.plural, index];
      const { errors } = checkValue(kind.fields, record);
      for (const error of errors) yield { ...error, path: [...path, ...error.path] };
      const owner: unknown = kind.owner && Reflect.get(record, kind.owner.field);
      if (typeof owner === 'string' && world.list(kind, owner) === undefined)
        yield {
          path: [...path, kind.owner?.field ?? ''],
          message: `no such ${kind.owner?.kind}: "${owner}"`,
        };
    }
}

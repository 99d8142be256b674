// Changes schemas by the assumption values of a session. Their x-assumptions list which of them they depend on.
import type { AssumptionChoices, AssumptionId } from '../protocol/assumptions.ts';
import type { JsonSchema } from './schemas.ts';

const dependsOn = (schema: JsonSchema, id: AssumptionId): boolean => {
  const ids = schema['x-assumptions'];
  return Array.isArray(ids) && ids.includes(id);
};

/** A named schema, changed for a session. @param choices the assumptions that differ from their defaults */
export const switchSchema = (given: JsonSchema, choices: AssumptionChoices): JsonSchema => {
  let schema = given;
  if (choices['absent-values'] === 'omitted') schema = dropNulls(schema) as JsonSchema; // it is still a schema
  if (choices['empty-run-ends'] === 'null' && dependsOn(schema, 'empty-run-ends'))
    schema = changeFields(schema, (name, field) =>
      name === 'first_id' || name === 'last_id' ? { ...field, type: ['string', 'null'] } : field,
    );
  if (choices['hyperparameter-type'] === 'passed-through' && dependsOn(schema, 'hyperparameter-type'))
    schema = changeFields(schema, (name, field) => (name === 'variables' ? field : toAnything(field)));
  if (choices['root-messages'] === 'template-wins')
    schema = changeFields(schema, (_name, field) =>
      dependsOn(field, 'root-messages')
        ? { ...field, description: "Ignored: the template's messages are used." }
        : field,
    );
  return schema;
};

const changeFields = (
  { properties = {}, ...schema }: JsonSchema,
  change: (name: string, field: JsonSchema) => JsonSchema,
): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, change(name, field)]),
  ),
});

/** A field of any type. The contract's type is in the description. */
const toAnything = ({ description = '', type, 'x-assumptions': ids }: JsonSchema): JsonSchema => ({
  description: `${String(description)} By the contract: ${[type].flat().join(' or ')}.`.trim(),
  'x-assumptions': [...(Array.isArray(ids) ? ids : []), 'hyperparameter-type'],
});

/** Removes null from the types of fields that are missing if they do not apply. */
const dropNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema; // or a mapping of schemas, which has no such key
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, inner]) => [keyword, dropNulls(inner)]),
  );
  if (!dependsOn(schema, 'absent-values')) return anyOf === undefined ? rest : { ...rest, anyOf };
  if (Array.isArray(anyOf)) return { ...anyOf.find(({ type }) => type !== 'null'), ...rest };
  const [type] = [rest.type].flat(); // the second one is null
  return { ...rest, type };
};

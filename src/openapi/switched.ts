// What the switched assumptions of a session change in the schemas, which know by x-assumptions what they rest on.
import type { AssumptionChoices, AssumptionId } from '../protocol/assumptions.ts';
import type { JsonSchema } from './schemas.ts';

const restsOn = (schema: JsonSchema, id: AssumptionId): boolean => {
  const ids = schema['x-assumptions'];
  return Array.isArray(ids) && ids.includes(id);
};

/** A named schema as a session answers. @param choices the assumptions that are not at their defaults */
export const switchSchema = (given: JsonSchema, choices: AssumptionChoices): JsonSchema => {
  let schema = given;
  if (choices['absent-values'] === 'omitted') schema = dropNulls(schema) as JsonSchema; // it stays a schema
  if (choices['empty-run-ends'] === 'null' && restsOn(schema, 'empty-run-ends'))
    schema = changeFields(schema, (name, field) =>
      name === 'first_id' || name === 'last_id' ? { ...field, type: ['string', 'null'] } : field,
    );
  if (choices['hyperparameter-type'] === 'passed-through' && restsOn(schema, 'hyperparameter-type'))
    schema = changeFields(schema, (name, field) => (name === 'variables' ? field : toAnything(field)));
  if (choices['root-messages'] === 'template-wins')
    schema = changeFields(schema, (_name, field) =>
      restsOn(field, 'root-messages')
        ? { ...field, description: "Are left out: the template's stay." }
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

/** A field of any type: that of the contract is told in words. */
const toAnything = ({ description = '', type, 'x-assumptions': ids }: JsonSchema): JsonSchema => ({
  description: `${String(description)} By the contract: ${[type].flat().join(' or ')}.`.trim(),
  'x-assumptions': [...(Array.isArray(ids) ? ids : []), 'hyperparameter-type'],
});

/** The same without null for what need not apply: it is missing then. */
const dropNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema; // or a mapping of some, which has no such key
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, inner]) => [keyword, dropNulls(inner)]),
  );
  if (!restsOn(schema, 'absent-values')) return anyOf === undefined ? rest : { ...rest, anyOf };
  if (Array.isArray(anyOf)) return { ...anyOf.find(({ type }) => type !== 'null'), ...rest };
  const [type] = [rest.type].flat(); // the other one is null
  return { ...rest, type };
};

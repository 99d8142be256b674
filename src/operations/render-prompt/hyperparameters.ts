import * as z from 'zod';
import type { Assume } from '../../protocol/assumptions.ts';
import { refuse } from '../../protocol/errors.ts';
import { describeJson } from '../../util/json.ts';
import { toPathText } from '../../util/path-text.ts';
import { hyperparametersSchema } from './contract.ts';

type Root = Readonly<Record<string, unknown>>;

/** The checked body of a render call. */
export interface RenderRequest {
  readonly variables: object;
  /** The other root keys: hyperparameters of the contract, and unknown keys. */
  readonly root: Root;
}

/**
 * Checks the body of a render call (contract: Endpoints, 1).
 *
 * @throws GatewayError 400, naming the field
 */
export const readRenderRequest = (body: Root, assume: Assume): RenderRequest => {
  assume('render-reserved-keys');
  const { variables, prompt_id: _, ...root } = body;
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
    return refuse('variables-required', {
      status: 400,
      message: `'variables' must be an object with the values of the template, but it is ${variables === undefined ? 'missing' : describeJson(variables)}. Send {} if there are none.`,
      param: 'variables',
    });
  if (Object.hasOwn(root, 'hyperparameters'))
    refuse('nested-hyperparameters', {
      status: 400,
      message:
        "The field 'hyperparameters' is not allowed: send each hyperparameter at the root of the body, beside 'variables'.",
      param: 'hyperparameters',
    });
  const checked = checkTypes(root, assume);
  for (const [param, value] of Object.entries({ variables, ...checked }))
    if (holdsInfinity(value))
      refuse('body-format', {
        status: 400,
        message: `'${param}' contains a number that is too large, such as 1e400.`,
        param,
      });
  return { variables, root: checked };
};

const checkTypes = (root: Root, assume: Assume): Root => {
  if (Object.keys(root).length === 0) return root;
  const sent = dropNulls(root, hyperparametersSchema, assume) as Root; // the root stays an object
  if (Object.keys(sent).some((name) => !Object.hasOwn(hyperparametersSchema.shape, name)))
    assume('unknown-hyperparameter');
  const issue = findIssue(sent);
  if (issue === undefined || assume('hyperparameter-type') === 'passed-through') return sent;

  const path = toPathText(issue.path);
  const found: unknown = issue.path.reduce<unknown>((value, key) => Object(value)[key], sent);
  return refuse('hyperparameter-type', {
    status: 400,
    message: `Invalid type for '${path}': expected ${expectedType(issue)}, but got ${describeJson(found)} instead.`,
    param: path,
    code: 'invalid_type',
  });
};

/** Finds the first issue. Items of lists are checked one by one, because millions of issues would fill the memory. */
const findIssue = (sent: Root): z.core.$ZodIssue | undefined => {
  for (const [name, field] of Object.entries(hyperparametersSchema.shape)) {
    if (!Object.hasOwn(sent, name)) continue;
    const [value, schema] = [sent[name], field.unwrap()];
    const isList = schema instanceof z.ZodArray && Array.isArray(value);
    const issue = isList
      ? findItemIssue(value, schema.element as z.ZodType, name) // all our elements are plain zod types
      : issueOf(value, schema, [name]);
    if (issue !== undefined) return issue;
  }
  return undefined;
};

const findItemIssue = (
  items: readonly unknown[],
  schema: z.ZodType,
  name: string,
): z.core.$ZodIssue | undefined => {
  for (const [index, item] of items.entries()) {
    const issue = issueOf(item, schema, [name, index]);
    if (issue !== undefined) return issue;
  }
  return undefined;
};

const issueOf = (value: unknown, schema: z.ZodType, path: PropertyKey[]): z.core.$ZodIssue | undefined => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue && { ...issue, path: [...path, ...issue.path] };
};

const expectedType = (issue: z.core.$ZodIssue): string => {
  const expected = issue.code === 'invalid_type' ? issue.expected : 'value'; // our schemas have no other issues
  const name = expected === 'int' ? 'integer' : expected;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
};

/** Removes nulls that the contract does not allow (assumption `hyperparameter-null`). */
const dropNulls = (value: unknown, schema: unknown, assume: Assume): unknown => {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodNullable)
    return dropNulls(value, schema.unwrap(), assume);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => dropNulls(item, schema.element, assume));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;

  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (inner === null && field !== undefined && !field.safeParse(null).success) {
      assume('hyperparameter-null');
      return [];
    }
    return [[name, dropNulls(inner, field, assume)] as const];
  });
  return Object.fromEntries(kept);
};

/** JSON can contain 1e400, but JavaScript cannot write it again. The depth was checked before. */
const holdsInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsInfinity)
    : value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

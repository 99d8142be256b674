import { z } from 'zod';
import type { Assume } from '../../protocol/assumptions.ts';
import { refuse } from '../../protocol/errors.ts';
import { hyperparameters } from './contract.ts';

type Root = Readonly<Record<string, unknown>>;

/** What a render call sends, checked and taken apart. */
export interface RenderRequest {
  readonly variables: object;
  /** The hyperparameters at the root, those of the contract and any others. */
  readonly root: Root;
}

/**
 * Checks the body of a render call (contract: Endpoints, 1).
 *
 * @throws GatewayError 400 that names the field
 */
export const readRenderRequest = (body: Root, assume: Assume): RenderRequest => {
  const { variables, prompt_id: _, ...root } = body; // one real client sends prompt_id along
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
    return refuse(assume, 'variables-required', {
      status: 400,
      message: `'variables' must be an object with the values of the template, but it is ${variables === undefined ? 'missing' : toArticle(variables)}. Send {} where there are none.`,
      param: 'variables',
    });
  if (Object.hasOwn(root, 'hyperparameters'))
    refuse(assume, 'nested-hyperparameters', {
      status: 400,
      message:
        "'hyperparameters' is no field of this call: send each hyperparameter at the root of the body, beside 'variables'.",
      param: 'hyperparameters',
    });
  return { variables, root: checkTypes(root, assume) };
};

const checkTypes = (root: Root, assume: Assume): Root => {
  const sent = dropNulls(root, hyperparameters, assume) as Root; // the root stays an object
  if (Object.keys(sent).some((name) => !Object.hasOwn(hyperparameters.shape, name)))
    assume('unknown-hyperparameter');
  const [issue] = hyperparameters.safeParse(sent).error?.issues ?? [];
  if (issue === undefined || assume('hyperparameter-type') === 'passed-through') return sent;

  const path = issue.path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );
  const found: unknown = issue.path.reduce<unknown>((value, key) => Object(value)[key], sent);
  return refuse(assume, 'hyperparameter-type', {
    status: 400,
    message: `Invalid type for '${path}': expected ${expectedType(issue)}, but got ${toArticle(found)} instead.`,
    param: path,
    code: 'invalid_type',
  });
};

const expectedType = (issue: z.core.$ZodIssue): string => {
  const name =
    issue.code === 'invalid_type' ? (issue.expected === 'int' ? 'integer' : issue.expected) : 'integer';
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
};

const toArticle = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
};

/** Under `hyperparameter-null`: a null that the contract's table does not allow is as if it were not sent. */
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

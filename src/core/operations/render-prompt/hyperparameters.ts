import * as z from 'zod';
import type { Assume } from '../../assumptions/table.ts';
import { omitNulls } from '../../protocol/absent-values.ts';
import { refuse } from '../../protocol/refuse.ts';
import { describeExpected } from '../../util/describe-expected.ts';
import { describeJson } from '../../util/json.ts';
import { isMapping, type Mapping, ownValue, valueAt } from '../../util/mapping.ts';
import { toPathText } from '../../util/path-text.ts';
import { hyperparametersSchema } from './contract.ts';

/**
 * Checks the body of a render call (contract: Endpoints, 1). `root` has its other keys: hyperparameters of the contract, and
 * unknown keys.
 *
 * @throws GatewayError 400, naming the field
 */
export const readRenderRequest = (body: Mapping, assume: Assume): { variables: Mapping; root: Mapping } => {
  const { variables, prompt_id: _, ...root } = body;
  if (!isMapping(variables))
    return refuse('variables-required', {
      message: `'variables' must be an object with the values of the template, but it is ${variables === undefined ? 'missing' : describeJson(variables)}. Send {} if there are none.`,
      param: 'variables',
    });
  if (Object.hasOwn(root, 'hyperparameters'))
    refuse('nested-hyperparameters', {
      message:
        "The field 'hyperparameters' is not allowed: send each hyperparameter at the root of the body, beside 'variables'.",
      param: 'hyperparameters',
    });
  const checked = checkTypes(root, assume);
  for (const [param, value] of Object.entries({ variables, ...checked }))
    if (containsInfinity(value))
      refuse('body-format', {
        message: `'${param}' contains a number that is too large, such as 1e400.`,
        param,
      });
  return { variables, root: checked };
};

const checkTypes = (root: Mapping, assume: Assume): Mapping => {
  let isNullKept = false;
  const sent = withoutNulls(root, () => {
    isNullKept = assume('hyperparameter-null') === 'kept';
  });
  const [issue] = findIssues(sent);
  if (issue === undefined || assume('hyperparameter-type') === 'passed-through')
    return isNullKept ? root : sent;

  const path = toPathText(issue.path);
  return refuse('hyperparameter-type', {
    message: `Invalid type for '${path}': ${describeIssue(issue, sent)} instead.`,
    param: path,
    code: 'invalid_type',
  });
};

/** Leaves out values that are null where the contract does not allow null. */
export const withoutNulls = (root: Mapping, onNull?: () => void): Mapping =>
  omitNulls(root, hyperparametersSchema, (field) => {
    const isRefused = !field.safeParse(null).success;
    if (isRefused) onNull?.();
    return isRefused;
  }) as Mapping; // the root is an object, so that the result is, too

/** Finds the issues of hyperparameters one at a time: millions of issues would fill the memory. */
export function* findIssues(sent: Mapping): Generator<z.core.$ZodIssue> {
  for (const [path, value, schema] of partsOf(sent))
    for (const issue of schema.safeParse(value).error?.issues ?? [])
      yield { ...issue, path: [...path, ...issue.path] };
}

/** Describes the type of a hyperparameter: `expected a string, but got an array`. */
export const describeIssue = (issue: z.core.$ZodIssue, sent: Mapping): string =>
  `expected ${describeExpected(issue)}, but got ${describeJson(valueAt(sent, issue.path))}`;

/** The hyperparameters with their schemas; of a list, each item. */
function* partsOf(
  sent: Mapping,
): Generator<readonly [path: PropertyKey[], value: unknown, schema: z.ZodType]> {
  for (const [name, field] of Object.entries(hyperparametersSchema.shape)) {
    const [value, schema] = [ownValue(sent, name), field.unwrap()];
    if (value === undefined) continue;
    // The elements of all our arrays are plain zod types.
    if (schema instanceof z.ZodArray && Array.isArray(value))
      for (const [index, item] of value.entries()) yield [[name, index], item, schema.element as z.ZodType];
    else yield [[name], value, schema];
  }
}

/** JSON can contain 1e400, but JavaScript cannot write it again. The depth was checked before. */
const containsInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(containsInfinity)
    : value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

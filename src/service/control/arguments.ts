import { toJsonText } from '../../core/util/json.ts';
import { toPathText } from '../../core/util/path-text.ts';

/** How deep a value may nest: an HTTP body may have 500 levels. */
const maxLevels = 400;

/**
 * The arguments of a method as a JSON array, which `connect` sends. The control in process makes the array, too, so that both
 * refuse the same values; only surplus arguments, which are dropped before, differ. It leaves out an `AbortSignal` under the key `signal`.
 *
 * @param name the method, for the error
 * @throws Error that names a value that JSON cannot express
 */
export const toArguments = (
  name: string,
  args: readonly unknown[],
): { readonly json: string; readonly signal: AbortSignal | undefined } => {
  let signal: AbortSignal | undefined;
  const checked = args.map((value) => {
    if (!isPlainObject(value) || !('signal' in value) || !isSignal(value.signal)) return value;
    const { signal: own, ...rest } = value;
    signal = value.signal;
    return rest;
  });
  for (const [at, value] of checked.entries()) {
    // In the array, null stands for an argument that is left out.
    const problem = value === null ? 'null is not allowed; leave it out' : describeNoJson(value, []);
    if (problem !== undefined) throw new Error(`Failed to call ${name}: argument ${at + 1}: ${problem}.`);
  }
  return { json: toJsonText(checked), signal };
};

/** Checked by its members: it may come from another realm, or from a library. */
export const isSignal = (value: unknown): value is AbortSignal =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;

/** Whether it is a plain object, also from another realm: JSON cannot express the instance of a class. */
const isPlainObject = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** Describes the first value that JSON cannot express. An object that contains itself nests too deeply. */
const describeNoJson = (value: unknown, path: readonly PropertyKey[]): string | undefined => {
  if (value === undefined || value === null || ['string', 'boolean', 'bigint'].includes(typeof value))
    return undefined;
  const place = path.length === 0 ? '' : `${toPathText(path).slice(0, 80)}: `;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : `${place}expected a finite number, but found ${value}`;
  if (!Array.isArray(value) && !isPlainObject(value)) return `${place}${describeType(value)} is not JSON`;
  if (path.length > maxLevels)
    return `${place}it contains itself, or nests too deeply: the maximum is ${maxLevels} levels`;
  for (const [key, inner] of Object.entries(value)) {
    const problem = describeNoJson(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const describeType = (value: unknown): string =>
  typeof value === 'object' ? `an object of the class ${value?.constructor.name}` : `a ${typeof value}`;

/**
 * The errors that we throw on purpose. Any other error, such as a TypeError, is a bug and keeps its stack. The reason of a
 * caller's signal also keeps its stack.
 */
const ownErrors = ['Error', 'ScenarioError', 'LostWorldError'];

export const isOwnError = (error: unknown): error is Error =>
  error instanceof Error && ownErrors.includes(error.name);

/**
 * Lets the stack of an asynchronous method's errors begin with the line that called it. Our own frames would fill the ten frames
 * of a stack, and a test runner shows the code of the first frame that it finds in the user's project.
 *
 * @param watch returns the promise that the caller gets
 */
export const blameCaller = <Args extends unknown[], Result>(
  method: (...args: Args) => Promise<Result>,
  watch = (promise: Promise<Result>, ..._: Args): Promise<Result> => promise,
): ((...args: Args) => Promise<Result>) => {
  const called = (...args: Args): Promise<Result> => {
    const caller = { stack: '' };
    Error.captureStackTrace?.(caller, called); // some browsers lack `captureStackTrace`
    const promise = method(...args).catch((error: unknown) => {
      const frames = caller.stack.slice(caller.stack.indexOf('\n    at '));
      const isReason = args.flat().some((arg) => Object(Object(arg).signal).reason === error);
      if (isOwnError(error) && !isReason && frames.startsWith('\n'))
        error.stack = `${error.name}: ${error.message}${frames}`;
      throw error;
    });
    return watch(promise, ...args);
  };
  return called;
};

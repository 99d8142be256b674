/**
 * A promise that knows whether anybody awaits it. If nobody does, its test fails at the end. Therefore, its rejection is never
 * unhandled: for that, test runners blame the next test.
 */
export class WatchedPromise<Value> extends Promise<Value> {
  static override readonly [Symbol.species] = Promise;
  isAwaited = false;
  isPending = true;

  // biome-ignore lint/suspicious/noThenProperty: `await` and the methods of a promise call it.
  override then: Promise<Value>['then'] = (...handlers) => {
    this.isAwaited = true;
    return super.then(...handlers);
  };
}

/** Adds a watched promise, with the result of another one, to those of a test. */
export const watchPromise = <Value>(promise: Promise<Value>, promises: WatchedPromise<unknown>[]) => {
  const watched = new WatchedPromise<Value>((resolve) => resolve(promise));
  const settle = (): void => {
    watched.isPending = false;
  };
  Promise.prototype.then.call(watched, settle, settle);
  promises.push(watched);
  return watched;
};

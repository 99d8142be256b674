// A module of its own, since `gateway-mock/jest` loads nothing else in the process of the tests.
import { blameCaller } from '../../core/util/caller.ts';
import type { Control } from '../../service/control/control-interface.ts';
import { type WatchedPromise, watchPromise } from './watched-promise.ts';

/** How a test has used its gateway. */
export interface GatewayUse {
  /** Whether it read the address, so that it is expected to call the gateway. */
  readonly isTaken: boolean;
  /** Whether it called `requests.expect`, and nobody awaited the result. */
  readonly isExpectationLost: boolean;
}

/** Adds the address of a gateway to its control, and reports how the test uses it. */
export const withAddress = <Target extends Control, Address extends object>(
  target: Target,
  address: Address,
) => {
  let isTaken = false;
  for (const [name, value] of Object.entries(address))
    Object.defineProperty(target, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        isTaken = true;
        return value;
      },
    });
  const expectations: WatchedPromise<unknown>[] = [];
  let isOver = false; // nothing would check what a later hook does not await
  const expect = blameCaller(target.requests.expect, (promise) =>
    isOver ? promise : watchPromise(promise, expectations),
  );
  Object.assign(target.requests, { expect });
  return {
    gateway: target as Target & Address, // the properties defined above
    /** Call it at the end of the test. */
    readUse: (): GatewayUse => {
      isOver = true;
      return { isTaken, isExpectationLost: expectations.some(({ isAwaited }) => !isAwaited) };
    },
  };
};

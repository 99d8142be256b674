// A module of its own, since `gateway-mock/jest` loads nothing else in the process of the tests.
import { blameCaller } from '../../core/util/caller.ts';
import type { Control } from '../../service/control/control-interface.ts';
import { type WatchedPromise, watchPromise } from './watched-promise.ts';

/** How a test has used its gateway. */
export interface GatewayUse {
  /** Whether it read the address, so that it is expected to call the gateway. */
  readonly isTaken: boolean;
  /** The questions to its gateway whose answer nobody awaited, such as `requests.expect`. */
  readonly unawaited: readonly string[];
}

/** The methods that a test calls for their answer alone. */
const questions = {
  requests: ['expect', 'count', 'list', 'wait', 'walk', 'walks'],
  quotas: ['list'],
  faults: ['list'],
} as const;

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
  const asked: { readonly question: string; readonly answers: WatchedPromise<unknown>[] }[] = [];
  let isOver = false; // nothing would check what a later hook does not await
  for (const [group, names] of Object.entries(questions)) {
    const methods = Reflect.get(target, group) as Record<string, (...args: unknown[]) => Promise<unknown>>; // see `Control`
    for (const name of names) {
      const answers: WatchedPromise<unknown>[] = [];
      asked.push({ question: `${group}.${name}`, answers });
      const method = methods[name];
      if (method !== undefined)
        methods[name] = blameCaller(method, (promise) => (isOver ? promise : watchPromise(promise, answers)));
    }
  }
  return {
    gateway: target as Target & Address, // the properties defined above
    /** Call it at the end of the test. */
    readUse: (): GatewayUse => {
      isOver = true;
      const isUnawaited = ({ answers }: (typeof asked)[number]) =>
        answers.some(({ isAwaited }) => !isAwaited);
      return { isTaken, unawaited: asked.filter(isUnawaited).map(({ question }) => question) };
    },
  };
};

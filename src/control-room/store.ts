import { useSyncExternalStore } from 'react';

/** A state that components of several panels read. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: (): State => state,
    set: (changed: Partial<State>): void => {
      state = { ...state, ...changed };
      for (const listener of listeners) listener();
    },
    subscribe,
    /** Renders again once what is selected is another value. Select what the state has; make no new object. */
    use: <Value>(select: (state: State) => Value): Value =>
      useSyncExternalStore(subscribe, () => select(state)),
  };
};

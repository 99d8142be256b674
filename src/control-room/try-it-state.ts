import { createStore } from './connection.ts';

/** What the drawer Try it starts with. */
export interface TryItStart {
  /** The id of an operation. */
  readonly operation: string;
  /** The values of its parameters. */
  readonly values: Readonly<Record<string, string>>;
  /** The body, as text. */
  readonly body?: string | undefined;
  /** What it was opened from, such as `request 33`. */
  readonly from?: string | undefined;
}

/** Undefined while the drawer is closed. Another object fills its fields again. */
export const tryItState = createStore({ start: undefined as TryItStart | undefined });

export const openTryIt = (start: TryItStart = { operation: 'listBatches', values: { limit: '5' } }): void =>
  tryItState.set({ start });
export const closeTryIt = (): void => tryItState.set({ start: undefined });

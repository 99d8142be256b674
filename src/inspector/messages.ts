import { signal } from '@preact/signals';
import type { Tone } from './parts.tsx';
import { parseRoute, toHash } from './route.ts';

interface Message {
  readonly text: string;
  readonly tone: Tone;
  /** The view in which it was shown; it disappears with that view. */
  readonly view: string;
  /** Takes back the change that it reports. */
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/** The messages that are shown. */
export const messages = signal<readonly Message[]>([]);

const viewHere = (): string => {
  const { panel, rest } = parseRoute(location.hash);
  return toHash(panel, rest);
};

export const dismiss = (one: Message): void => {
  messages.value = messages.value.filter((other) => other !== one);
};

/** Shows a message for a while. Screen readers announce it. @param undo takes back the change that it reports */
export const notify = (text: string, tone: Tone = 'good', undo?: Message['undo']): void => {
  const message = { text, tone, view: viewHere(), undo };
  // Only the last change can be taken back.
  const others = messages.value.filter((other) => undo === undefined || other.undo === undefined);
  messages.value = [...others.slice(-2), message];
  // An error stays until it is closed.
  if (tone !== 'bad') setTimeout(() => dismiss(message), undo === undefined ? 4000 : 30_000);
};

addEventListener('hashchange', () => {
  messages.value = messages.value.filter(({ view }) => view === viewHere());
});

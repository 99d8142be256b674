import type { Icon } from '@tabler/icons-react';
import type { RemoteControl } from '../service/client/connect.ts';

export interface Question {
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  /** The button that does it, such as "Clear the requests". */
  readonly action: string;
}

/** What a button or a command does. */
export interface Task {
  readonly run: () => unknown;
  /**
   * The message when it is done, such as "listRuns: 503 removed", or what makes it of the result. If it made one change of the
   * session, the message has Undo.
   */
  readonly done?: string | ((result: unknown) => string) | undefined;
  /** How many changes it makes, which are undone together. Default: 1. */
  readonly steps?: number | undefined;
  /** The question before it runs, if it cannot be undone. */
  readonly ask?: Question | undefined;
  /** Shows an error where it belongs, such as at a field; called with undefined to remove it. Default: a message. */
  readonly fail?: ((message: string | undefined) => void) | undefined;
}

/** A task in the palette; it may also be a button. */
export interface Command extends Task {
  /** In full, for the palette and screen readers: `Remove *: 503`. Unique within its kind. */
  readonly name: string;
  /** Shown before its name in the palette. Default: `command`. */
  readonly kind?: string;
  /** What the palette also finds it by. */
  readonly words?: string;
  /** The text of its button. Default: its icon alone. */
  readonly text?: string;
  readonly Icon?: Icon;
}

/** A command that makes one change of the session. */
export const toCommand = (name: string, run: Task['run']): Command => ({ name, run, done: `Done: ${name}` });

/** The commands that a panel adds to the palette, which filters them by the text. */
export interface PanelCommands {
  /** Those that need no call to the server. Some have a part of the text, such as `advance 3d`. */
  readonly match?: (text: string) => readonly Command[];
  /** Those that the server finds, such as records by a part of their id. The control that it gets ends with the search. */
  readonly find?: (text: string, control: RemoteControl) => Promise<readonly Command[]>;
}

/** Whether a text contains all words of a search. */
export const hasWords = (text: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** The commands that contain all words of a text. */
export const filterByText = (text: string, commands: readonly Command[]): Command[] =>
  commands.filter(({ name, kind = '', words = '' }) => hasWords(`${name} ${kind} ${words}`, text));

import type { RemoteControl } from '../admin/remote.ts';
import { confirm, type Question } from './confirm.tsx';
import { type ActOptions, act } from './notify.tsx';

/** What the palette can do. */
export interface Command {
  /** What it is, such as `run` or `command`. */
  readonly kind: string;
  /** Its text, which is unique within its kind. */
  readonly text: string;
  /** Errors are shown. */
  readonly run: () => unknown;
}

interface CommandOptions extends ActOptions {
  readonly ask?: Question;
}

/** A command that reports how it ended, as a button does. */
export const toCommand = (
  text: string,
  run: () => unknown,
  { ask, ...options }: CommandOptions = {},
): Command => ({
  kind: 'command',
  text,
  run: async () => {
    if (ask === undefined || (await confirm(ask))) await act(async () => run(), options);
  },
});

/** One that makes one change of the session, unless the options say otherwise. */
export const toAction = (text: string, run: () => unknown, options: CommandOptions = {}): Command =>
  toCommand(text, run, { done: `Done: ${text}`, undo: 1, ...options });

/** What a panel adds to the palette: the file `commands.ts` of its folder, which is loaded with the page. */
export interface PanelCommands {
  /** Those that fit a text at once, such as `advance 3d`. */
  readonly match: (text: string) => readonly Command[];
  /** Those that the server finds, such as records by a part of their id. The given control ends with the search. */
  readonly find?: (text: string, control: RemoteControl) => Promise<readonly Command[]>;
}

/** Those whose texts have all words of a text. */
export const thatFit = <One extends Pick<Command, 'text'>>(text: string, all: readonly One[]): One[] => {
  const words = text.toLowerCase().split(/\s+/);
  return all.filter((one) => words.every((word) => one.text.toLowerCase().includes(word)));
};

/** How many of each kind are found. */
export const maxFound = 5;

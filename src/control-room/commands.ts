import type { RemoteControl } from '../admin/remote.ts';
import type { Deed } from './act.tsx';

/** What the palette can do. */
export interface Command extends Deed {
  /** What it is. Default: `command`. */
  readonly kind?: string;
  /** Its text, which is unique within its kind. */
  readonly name: string;
}

/** A command that makes one change of the session. */
export const toAction = (name: string, run: Deed['run']): Command => ({ name, run, done: `Done: ${name}` });

/** What a panel adds to the palette: the file `commands.ts` of its folder, which is loaded with the page. */
export interface PanelCommands {
  /** Those that fit a text at once, such as `advance 3d`. */
  readonly match?: (text: string) => readonly Command[];
  /** Those that the server finds, such as records by a part of their id. The given control ends with the search. */
  readonly find?: (text: string, control: RemoteControl) => Promise<readonly Command[]>;
}

/** Those whose texts have all words of a text. */
export const thatFit = <One extends { readonly name: string; readonly kind?: string }>(
  text: string,
  all: readonly One[],
): One[] => {
  const words = text.toLowerCase().split(/\s+/);
  return all.filter((one) =>
    words.every((word) => `${one.name} ${one.kind ?? ''}`.toLowerCase().includes(word)),
  );
};

/** How many of each kind are found. */
export const maxFound = 5;

import { type Command, type PanelCommands, thatFit } from '../../commands.ts';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';

const toCommand = (text: string, run: () => Promise<unknown>): Command => ({
  kind: 'command',
  text,
  run: () => act(run, { done: `Done: ${text}`, undo: 1 }),
});

const fixed = [
  toCommand('Go to the next change', () => control.clock.next()),
  toCommand('Run the clock', () => control.clock.run()),
  toCommand('Freeze the clock', () => control.clock.freeze()),
];

export const commands: PanelCommands = {
  match: (text) => {
    const by = /^advance\s+(.+)$/i.exec(text)?.[1];
    return by === undefined
      ? thatFit(text, [
          ...fixed,
          { kind: 'hint', text: 'advance 3d', run: () => control.clock.advance('3d') },
        ])
      : [toCommand(`Advance the clock by ${by}`, () => control.clock.advance(by))];
  },
};

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
    const [, verb, given = ''] = /^(advance|set|run)\s+(.+)$/i.exec(text) ?? [];
    const speed = Number(given);
    switch (verb?.toLowerCase()) {
      case 'advance':
        return [toCommand(`Advance the clock by ${given}`, () => control.clock.advance(given))];
      case 'set':
        return [toCommand(`Set the clock to ${given}`, () => control.clock.set(given))];
      default:
        return verb !== undefined && speed > 0
          ? [toCommand(`Run the clock ${speed} times as fast`, () => control.clock.run(speed))]
          : thatFit(text, [
              ...fixed,
              { kind: 'hint', text: 'advance 3d', run: () => control.clock.advance('3d') },
            ]);
    }
  },
};

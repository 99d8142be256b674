import type { ClockInfo } from '../../../control/types.ts';
import { type Command, type PanelCommands, thatFit } from '../../commands.ts';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';

/** Advances by a duration, or to a date-time. Without a time zone it is in UTC, like all times on the page. */
export const moveBy = (text: string): Promise<ClockInfo> => {
  if (!/^\d{4}-/.test(text))
    return control.clock.advance(/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(text) ?? [];
  return control.clock.set(date === undefined ? text : `${date}T${time}${seconds}Z`);
};

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
    const [, verb = '', given = ''] = /^(advance|set|run)\s+(.+)$/i.exec(text) ?? [];
    switch (verb.toLowerCase()) {
      case 'advance':
        return [toCommand(`Advance the clock by ${given}`, () => moveBy(given))];
      case 'set':
        return [toCommand(`Set the clock to ${given}`, () => moveBy(given))];
      default:
        return Number(given) > 0
          ? [toCommand(`Run the clock ${given} times as fast`, () => control.clock.run(Number(given)))]
          : thatFit(text, [...fixed, { ...toCommand('advance 3d', () => moveBy('3d')), kind: 'hint' }]);
    }
  },
  find: async (text, own) => {
    const [, search] = /^(?:go to )?(?:the )?end of (\S+)$/i.exec(text) ?? [];
    if (search === undefined) return [];
    const found = await own.clock.timeline({ search, limit: 5 });
    return found.flatMap(({ id, states }) => {
      const end = states.at(-1)?.at;
      return end === undefined ? [] : [toCommand(`Go to the end of ${id}`, () => control.clock.set(end))];
    });
  },
};

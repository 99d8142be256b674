import type { ClockInfo } from '../../../control/types.ts';
import { type PanelCommands, thatFit, toAction } from '../../commands.ts';
import { control } from '../../connection.ts';

/** Advances by a duration, or to a date-time. Without a time zone it is in UTC, like all times on the page. */
export const moveBy = (text: string): Promise<ClockInfo> => {
  if (!/^\d{4}-/.test(text))
    return control.clock.advance(/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(text) ?? [];
  return control.clock.set(date === undefined ? text : `${date}T${time}${seconds}Z`);
};

const fixed = [
  toAction('Go to the next change', () => control.clock.next()),
  toAction('Run the clock', () => control.clock.run()),
  toAction('Freeze the clock', () => control.clock.freeze()),
];

export const commands: PanelCommands = {
  match: (text) => {
    const [, verb = '', given = ''] = /^(advance|set|run)\s+(.+)$/i.exec(text) ?? [];
    switch (verb.toLowerCase()) {
      case 'advance':
        return [toAction(`Advance the clock by ${given}`, () => moveBy(given))];
      case 'set':
        return [toAction(`Set the clock to ${given}`, () => moveBy(given))];
      default:
        return Number(given) > 0
          ? [toAction(`Run the clock ${given} times as fast`, () => control.clock.run(Number(given)))]
          : thatFit(text, [...fixed, { ...toAction('advance 3d', () => moveBy('3d')), kind: 'hint' }]);
    }
  },
  find: async (text, own) => {
    const [, search] = /^(?:go to )?(?:the )?end of (\S+)$/i.exec(text) ?? [];
    if (search === undefined) return [];
    const found = await own.clock.timeline({ search, limit: 5 });
    return found.flatMap(({ id, states }) => {
      const end = states.at(-1)?.at;
      return end === undefined ? [] : [toAction(`Go to the end of ${id}`, () => control.clock.set(end))];
    });
  },
};

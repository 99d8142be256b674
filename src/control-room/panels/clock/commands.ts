import type { ClockInfo } from '../../../service/control/control-interface.ts';
import type { Command, PanelCommands, Task } from '../../commands.ts';
import { control } from '../../connection.ts';
import { formatTime } from '../../text.tsx';

/** Tasks of both buttons and the palette. */
export const advance = (by: string): Task => ({ run: () => moveBy(by), done: `Clock: moved by or to ${by}` });
export const goTo = (at: number): Task => ({
  run: () => control.clock.set(at),
  done: `Clock: ${formatTime(Math.floor(at))}`,
});
export const goToNext: Task = { run: () => control.clock.next(), done: 'Clock: moved to the next change' };
export const freeze: Task = { run: () => control.clock.freeze(), done: 'Clock: frozen' };
export const runAt = (speed: number): Task => ({
  run: () => control.clock.run(speed),
  done: `Clock: runs ${speed}×`,
});

/** Advances by a duration, or to a date-time. Without a time zone it is in UTC, like all times here. */
const moveBy = (text: string): Promise<ClockInfo> => {
  if (!/^\d{4}-/.test(text))
    return control.clock.advance(/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(text) ?? [];
  return control.clock.set(date === undefined ? text : `${date}T${time}${seconds}Z`);
};

export const commands: PanelCommands = {
  match: (text) => {
    const [, argument] = /^(?:advance|set|run)\s+(.+)$/i.exec(text) ?? [];
    const fixed: readonly Command[] = [
      { name: 'Go to the next change', ...goToNext },
      { name: 'Run the clock', ...runAt(1) },
      { name: 'Freeze the clock', ...freeze },
      { name: 'advance 3d', kind: 'hint', ...advance('3d') },
    ];
    if (argument === undefined) return fixed;
    return [
      ...fixed,
      { name: `Advance the clock by ${argument}`, ...advance(argument) },
      { name: `Set the clock to ${argument}`, ...advance(argument) },
      { name: `Run the clock ${argument} times as fast`, ...runAt(Number(argument)) },
    ];
  },
};

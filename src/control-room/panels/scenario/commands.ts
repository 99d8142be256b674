import { type Command, maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { confirm } from '../../confirm.tsx';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';
import { downloadState, type Format, fileNameOf } from './file.ts';
import { replaceQuestion } from './questions.ts';

const toCommand = (text: string, done: string, run: () => Promise<unknown>, undo = 1): Command => ({
  kind: 'command',
  text,
  run: () => act(run, { done, undo }),
});

/** A name such as `default-2026-01-15`. */
const download = async (format: Format): Promise<void> => {
  const [{ name }, { now }] = await Promise.all([control.scenario.current(), control.clock.now()]);
  await downloadState(fileNameOf(name, Date.parse(now) / 1000), format);
};

const save = async (name: string): Promise<void> => {
  const isKnown = (await control.state.list()).some((state) => state.name === name);
  if (!isKnown || (await confirm(replaceQuestion(name))))
    await act(() => control.state.save(name), { done: `The state was saved as ${name}.` });
};

const fixed = [
  toCommand('Reset to the start', 'The session was reset to the start of its scenario.', () =>
    control.reset(),
  ),
  toCommand('Undo the last change', 'The last change was undone.', () => control.state.undo(), 0),
  toCommand('Download the state as YAML', 'The state was downloaded.', () => download('yaml'), 0),
  toCommand('Download the state as JSON', 'The state was downloaded.', () => download('json'), 0),
];

export const commands: PanelCommands = {
  match: (text) => {
    const name = /^save\s+(.+)$/i.exec(text)?.[1];
    return name === undefined
      ? thatFit(text, fixed)
      : [{ kind: 'command', text: `Save the state as ${name}`, run: () => save(name) }];
  },
  find: async (text, own) => {
    const [scenarios, states] = await Promise.all([own.scenario.list(), own.state.list()]);
    const found = [
      ...scenarios.map(({ name }) =>
        toCommand(`load ${name}`, `${name} is loaded.`, () => control.scenario.load(name)),
      ),
      ...states.map(({ name }) =>
        toCommand(`restore ${name}`, `The state ${name} was restored.`, () => control.state.restore(name)),
      ),
    ];
    return thatFit(text, found).slice(0, maxFound);
  },
};

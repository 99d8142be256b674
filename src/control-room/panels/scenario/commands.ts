import { type Command, maxFound, type PanelCommands, thatFit, toAction } from '../../commands.ts';
import { confirm, type Question } from '../../confirm.tsx';
import { control } from '../../connection.ts';
import { copy } from '../../copy.tsx';
import { act } from '../../notify.tsx';
import { isolate } from '../../text.tsx';
import { chooseFile, downloadState, type Format, fileNameOf } from './file.ts';
import { groupChanges, revert } from './record-changes.ts';

/** What is asked before a saved state is replaced by the present one. */
export const toReplace = (name: string): Question => ({
  title: 'Replace the saved state?',
  text: `The state ${isolate(name)} was saved before. What it has now is lost.`,
  action: 'Replace it',
});

/** What is asked before a saved state is deleted. */
export const toDelete = (name: string): Question => ({
  title: 'Delete the saved state?',
  text: `The state ${isolate(name)} can then no longer be restored.`,
  action: 'Delete it',
});

const download = async (format: Format): Promise<void> => {
  const [{ name }, { now }] = await Promise.all([control.scenario.current(), control.clock.now()]);
  await downloadState(fileNameOf(name, Date.parse(now) / 1000), format);
};

const save = async (name: string): Promise<void> => {
  const isKnown = (await control.state.list()).some((state) => state.name === name);
  if (!isKnown || (await confirm(toReplace(name))))
    await act(() => control.state.save(name), { done: `The state was saved as ${name}.` });
};

const fixed: readonly Command[] = [
  toAction('Reset to the start', () => control.reset()),
  toAction('Undo the last change', () => control.state.undo(), { undo: 0 }),
  toAction('Download the state as YAML', () => download('yaml'), { undo: 0 }),
  toAction('Download the state as JSON', () => download('json'), { undo: 0 }),
  toAction('Copy the fingerprint', async () => copy(await control.state.fingerprint()), {
    done: 'Copied',
    undo: 0,
  }),
  { kind: 'command', text: 'Load a file', run: () => chooseFile() },
];

export const commands: PanelCommands = {
  match: (text) => {
    const name = /^save\s+(.+)$/i.exec(text)?.[1];
    return name === undefined
      ? thatFit(text, fixed)
      : [{ kind: 'command', text: `Save the state as ${name}`, run: () => save(name) }];
  },
  find: async (text, own) => {
    const isRevert = /^revert\b/i.test(text); // comparing takes a while
    const [scenarios, states, differences, history] = await Promise.all([
      own.scenario.list(),
      own.state.list(),
      isRevert ? own.state.changes() : [],
      own.state.history(),
    ]);
    const found = [
      ...scenarios.map(({ name }) =>
        toAction(`load ${name}`, () => control.scenario.load(name), { done: `${name} is loaded.` }),
      ),
      ...states.flatMap(({ name }) => [
        toAction(`restore ${name}`, () => control.state.restore(name)),
        toAction(`delete the saved state ${name}`, () => control.state.delete(name), {
          undo: 0,
          ask: toDelete(name),
        }),
      ]),
      ...groupChanges(differences).flatMap((change) =>
        change.kind === undefined ? [] : [toAction(`revert ${change.id}`, () => revert(change))],
      ),
      ...history.changes.map(({ id, what }) =>
        toAction(`go back to before ${id}: ${what}`, () => control.state.undo({ to: id }), { undo: 0 }),
      ),
    ];
    return thatFit(text, found).slice(0, maxFound);
  },
};

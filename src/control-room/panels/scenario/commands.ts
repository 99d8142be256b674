import { type Command, maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { confirm, type Question } from '../../confirm.tsx';
import { control } from '../../connection.ts';
import { copy } from '../../copy.tsx';
import { recordsOf } from '../../kinds.ts';
import { act } from '../../notify.tsx';
import { isolate } from '../../text.tsx';
import { chooseFile, downloadState, type Format, fileNameOf } from './file.ts';
import { groupChanges } from './record-changes.ts';

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

const toCommand = (
  text: string,
  done: string,
  run: () => Promise<unknown>,
  undo = 0,
  ask?: Question,
): Command => ({
  kind: 'command',
  text,
  run: async () => {
    if (ask === undefined || (await confirm(ask))) await act(run, { done, undo });
  },
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
  toCommand(
    'Reset to the start',
    'The session was reset to the start of its scenario.',
    () => control.reset(),
    1,
  ),
  toCommand('Undo the last change', 'The last change was undone.', () => control.state.undo()),
  toCommand('Download the state as YAML', 'The state was downloaded.', () => download('yaml')),
  toCommand('Download the state as JSON', 'The state was downloaded.', () => download('json')),
  toCommand('Copy the fingerprint', 'Copied', async () => copy(await control.state.fingerprint())),
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
    const verb = text.split(' ', 1)[0]?.toLowerCase();
    const [scenarios, states, differences, history] = await Promise.all([
      own.scenario.list(),
      own.state.list(),
      verb === 'revert' ? own.state.changes() : [], // comparing takes a while
      own.state.history(),
    ]);
    const found = [
      ...scenarios.map(({ name }) =>
        toCommand(`load ${name}`, `${name} is loaded.`, () => control.scenario.load(name), 1),
      ),
      ...states.flatMap(({ name }) => [
        toCommand(`restore ${name}`, `The state ${name} was restored.`, () => control.state.restore(name), 1),
        toCommand(
          `delete the saved state ${name}`,
          `The saved state ${name} was deleted.`,
          () => control.state.delete(name),
          0,
          toDelete(name),
        ),
      ]),
      ...groupChanges(differences).flatMap((change) => {
        const { kind, id, how } = change;
        if (kind === undefined) return [];
        const run = () => (how === 'created' ? recordsOf(kind).delete(id) : recordsOf(kind).revert(id));
        return [toCommand(`revert ${id}`, `${id} was reverted`, run, 1)];
      }),
      ...history.changes.map(({ id, what }) =>
        toCommand(`go back to before ${id}: ${what}`, 'Undone', () => control.state.undo({ to: id })),
      ),
    ];
    return thatFit(text, found).slice(0, maxFound);
  },
};

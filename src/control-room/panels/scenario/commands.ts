import { IconArrowBackUp, IconCopy, IconFileUpload, IconRestore, IconTrash } from '@tabler/icons-react';
import { textOf } from '../../../core/faults/tokens.ts';
import type { StateChange } from '../../../core/scenario/compare.ts';
import { toJsonText } from '../../../core/util/json.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import type { SessionChange } from '../../../service/control/history.ts';
import { copy, download } from '../../act.tsx';
import type { Command, PanelCommands, Task } from '../../commands.ts';
import { control, linkOf } from '../../connection.ts';
import { capitalize, isolate } from '../../text.tsx';

/** Calls a route for files. The server reads and writes YAML, so that the control room needs no parser. */
const callFile = async (path: string, init?: RequestInit): Promise<string> => {
  const response = await control.fetch(path, init);
  const text = await response.text();
  if (!response.ok)
    throw new Error(Object(tryParse(text)).message ?? `The server returned ${response.status}.`);
  return text;
};

/** Restarts the session from a scenario file, under the name of the file. */
export const toLoadFile = (file: File): Task => ({
  run: () => callFile(`scenario/file?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file }),
  done: `${file.name.replace(/\.[^.]*$/, '')} is loaded.`,
});

/** The requests were those of the previous world. */
const requestsCleared = 'The list of requests was cleared.';

export const reset: Command = {
  name: 'Reset: back to its start',
  text: 'Back to its start',
  Icon: IconRestore,
  run: () => control.reset(),
  done: `Reset to the start. ${requestsCleared}`,
};

export const toLoad = (name: string): Command => ({
  name: `Load ${name}`,
  text: 'Load',
  Icon: IconFileUpload,
  run: () => control.scenario.load(name),
  done: `${name} is loaded. ${requestsCleared}`,
});

/** Creates a session at the start of a scenario, and goes there. */
export const toLoadInSession = (scenario: string): Command => ({
  name: `Load in a new session: ${scenario}`,
  text: 'Load in a new session',
  run: async () => {
    const sessions = await control.sessions.list();
    const name = scenario.replace(/[^\w-]+/g, '-').slice(0, 60);
    let free = name;
    for (let at = 2; sessions.includes(free); at += 1) free = `${name}-${at}`;
    await control.sessions.create(free, { scenario: scenario as 'default' }); // a name
    location.assign(linkOf(free));
  },
});

/** Saves the present state. It asks before it replaces a saved one. */
export const toSave = (name: string, states: readonly { readonly name: string }[]): Command => ({
  name: `Save the state as ${name}`,
  run: () => control.state.save(name),
  done: `The state was saved as ${name}.`,
  ask: states.some((state) => state.name === name)
    ? {
        title: 'Replace the saved state?',
        text: `A state named ${isolate(name)} already exists. Its contents will be lost.`,
        action: 'Replace it',
      }
    : undefined,
});

/** What can be done with a saved state. */
export const stateCommands = (name: string): readonly Command[] => [
  {
    name: `Restore ${name}`,
    text: 'Restore',
    Icon: IconArrowBackUp,
    run: () => control.state.restore(name),
    done: `The state ${name} was restored. ${requestsCleared}`,
  },
  {
    name: `Delete the saved state ${name}`,
    Icon: IconTrash,
    run: () => control.state.delete(name),
    done: `The saved state ${name} was deleted.`,
    ask: {
      title: 'Delete the saved state?',
      text: `The state ${isolate(name)} can then no longer be restored.`,
      action: 'Delete it',
    },
  },
];

/** The words of a command; those of records are about any kind. */
const words: Readonly<Record<string, string>> = {
  'clock.advance': 'Clock moved by',
  'clock.set': 'Clock set to',
  'clock.next': 'Clock moved to the next change',
  'clock.run': 'Clock runs',
  'clock.freeze': 'Clock frozen',
  'faults.add': 'Fault added:',
  'faults.update': 'Fault changed:',
  'faults.remove': 'Fault removed:',
  'faults.clear': 'All faults removed',
  'quotas.enforce': 'Limits enforced',
  'quotas.lift': 'Limits no longer enforced',
  'quotas.refill': 'Limits refilled',
  'scenario.load': 'Scenario loaded:',
  'state.restore': 'State restored:',
  'state.normalize': 'Back to normal',
  'assumptions.set': 'Assumption switched:',
  reset: 'Back to the start',
  create: 'created:',
  update: 'changed:',
  updateMany: 'changed:',
  delete: 'deleted:',
  deleteMany: 'deleted:',
  setStatus: 'status set:',
  setStatusMany: 'status set:',
};

/** A change in words: `Clock moved by 10m`. */
export const inWords = ({ what, input }: SessionChange): string => {
  const [, kind, verb = ''] = /^records\.(\w+)\.(\w+)$/.exec(what) ?? [];
  const values = Object.values(Object(tryParse(input) ?? [input]))
    .flat()
    .map(textOf); // a long input is cut
  const change = words[kind === undefined ? what : verb] ?? what;
  return [capitalize(kind ?? ''), change, values.join(', ')].filter(Boolean).join(' ');
};

/** A difference from the start of the scenario. */
export const changeText = ({ path, from, to }: StateChange): string => {
  const [before, after] = [from, to].map((value) => (value === undefined ? 'nothing' : toJsonText(value)));
  return `${path}: ${before} → ${after}`;
};

/** Undoes a change and all that came after it. */
export const toGoBack = (change: SessionChange): Command => ({
  name: `Go back to before ${change.id}: ${inWords(change)}`, // commands may have the same name
  text: 'Go back',
  Icon: IconArrowBackUp,
  run: () => control.state.undo({ to: change.id }),
  done: `Back to before: ${inWords(change)}`,
});

/** Downloads the present state as a scenario file, named after its scenario and the date of its clock: `default-2026-01-15.yaml`. */
const downloadState = async (format: string): Promise<void> => {
  const [{ name }, { now }] = await Promise.all([control.scenario.current(), control.clock.now()]);
  const file = `${name.replace(/-\d{4}-\d\d-\d\d$/, '')}-${now.slice(0, 10)}.${format}`;
  download(file, await callFile(`state/file?format=${format}`));
};

export const downloads: readonly Command[] = ['YAML', 'JSON'].map((format) => ({
  name: `Download the state as ${format}`,
  text: `As ${format}`,
  run: () => downloadState(format.toLowerCase()),
}));

export const copyFingerprint: Command = {
  name: 'Copy the fingerprint',
  Icon: IconCopy,
  run: async () => copy(await control.state.fingerprint()),
};

export const commands: PanelCommands = {
  match: () => [
    reset,
    { name: 'Undo the last change', run: () => control.state.undo(), done: 'Undone' },
    ...downloads,
    copyFingerprint,
  ],
  find: async (text, own) => {
    const [scenarios, states, history] = await Promise.all([
      own.scenario.list(),
      own.state.list(),
      own.state.history(),
    ]);
    const [, saved] = /^save\s+(.+)$/i.exec(text) ?? [];
    return [
      ...(saved ? [toSave(saved, states)] : []),
      ...scenarios.map(({ name }) => toLoad(name)),
      ...states.flatMap(({ name }) => stateCommands(name)),
      ...history.changes.map(toGoBack),
    ];
  },
};

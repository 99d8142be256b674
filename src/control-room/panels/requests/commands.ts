import { type Command, maxFound, type PanelCommands, thatFit, toCommand } from '../../commands.ts';
import { confirm } from '../../confirm.tsx';
import { control, session } from '../../connection.ts';
import { journal, togglePause } from '../../journal.ts';
import { act } from '../../notify.tsx';
import { operationIds } from '../../operations.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { actionsOf, linkTo } from './actions.ts';
import { chips, pressChip } from './filter.ts';
import { readFirstCalls } from './first-calls.ts';
import { keyOf, sortNames } from './rows.ts';

/** Empties the journal, if the user confirms that. */
export const clearRequests = async (): Promise<void> => {
  const question = {
    title: 'Clear the requests?',
    text: 'The journal of this session is emptied. This cannot be undone.',
    action: 'Clear the requests',
  };
  if (!(await confirm(question))) return;
  const isDone = await act(() => control.requests.clear(), { done: 'The requests were cleared' });
  if (isDone && openKey() !== undefined) go(toHash('requests'));
};

/** The key of the open request. */
const openKey = (): string | undefined => {
  const { panel, rest } = parseRoute(location.hash);
  const [key = ''] = rest;
  return panel !== 'requests' || ['', 'walks', 'sessions'].includes(key) ? undefined : key;
};

/** Shows the list with one more filter. */
const toFilter = (text: string, changed: Readonly<Record<string, string>>): Command =>
  toCommand(text, () => {
    const { panel, query } = parseRoute(location.hash);
    go(toHash('requests', [], { ...(panel === 'requests' && query), ...changed }));
  });

/** What stands behind a word, such as `search zebra`. */
const toGiven = (text: string): readonly Command[] => {
  const [, word = '', given = ''] = /^(search|status|compare with)\s+(.+)$/i.exec(text) ?? [];
  const open = openKey();
  if (word === 'search') return [toFilter(`search the requests for ${given}`, { q: given })];
  if (word === 'status') return [toFilter(`show requests with the status ${given}`, { status: given })];
  const other = journal.get().requests.findLast(({ ordinal }) => String(ordinal) === given);
  return open === undefined || other === undefined
    ? []
    : [toCommand(`compare with request ${given}`, () => go(linkTo(open, { with: keyOf(other) })))];
};

export const commands: PanelCommands = {
  match: (text) => [
    ...toGiven(text),
    ...thatFit(text, [
      toCommand('Clear the requests', clearRequests),
      toCommand(
        journal.get().paused ? 'Continue the list of requests' : 'Pause the list of requests',
        togglePause,
      ),
      toCommand('Show all requests', () => go(toHash('requests'))),
      toCommand('Show the walks', () => go(toHash('requests', ['walks']))),
      toCommand('Compare sessions', () => go(toHash('requests', ['sessions']))),
      ...chips.map(({ label, filter }) => toFilter(`Show requests: ${label}`, pressChip({}, filter))),
      ...operationIds.map((id) => toFilter(`Show requests: ${id}`, { operation: id })),
      ...sortNames.map((name) => toFilter(`Sort the requests by ${name}`, { sort: name })),
    ]),
  ],
  find: async (search, own) => {
    const id = openKey();
    const [found, open, keys, names, calls] = await Promise.all([
      own.requests.list({ search }, { limit: maxFound, bodies: false, kept: true }),
      id === undefined ? undefined : own.requests.get(id).catch(() => undefined), // it may be no longer kept
      own.scenario.keys(),
      own.sessions.list(),
      /^send/i.test(search) ? readFirstCalls(own) : [],
    ]);
    const actions = open ? actionsOf(open, keys) : [];
    const others = names.filter((name) => name !== session);
    return [
      ...found.reverse().map((one) => ({
        kind: 'request',
        text: `${one.id} ${one.method} ${one.path}`,
        run: () => go(toHash('requests', [keyOf(one)])),
      })),
      ...thatFit(search, [
        ...actions.map(({ text, run, done }) => toCommand(text, run, { done })),
        ...calls.map(({ text, run }) => toCommand(text, run)),
        ...others.map((name) =>
          toCommand(`Compare with the session ${name}`, () =>
            go(toHash('requests', ['sessions'], { with: name })),
          ),
        ),
      ]),
    ];
  },
};

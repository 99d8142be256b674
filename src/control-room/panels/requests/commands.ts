import { type Command, filterByText, maxFound, type PanelCommands, type Task } from '../../commands.ts';
import { control } from '../../connection.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { actionsOf, sendFirst } from './actions.ts';
import { chips, pressChip } from './filter.ts';
import { keyOf } from './texts.ts';

/** The key of the open request. */
const openKey = (): string | undefined => {
  const { panel, rest } = parseRoute(location.hash);
  const [key = ''] = rest;
  return panel !== 'requests' || ['', 'walks', 'sessions'].includes(key) ? undefined : key;
};

export const clearRequests: Task = {
  run: async () => {
    await control.requests.clear();
    if (openKey() !== undefined) go(toHash('requests'));
  },
  done: 'The requests were cleared',
  ask: {
    title: 'Clear the requests?',
    text: 'The journal of this session is emptied. This cannot be undone.',
    action: 'Clear the requests',
  },
};

/** Shows the list with one more filter. */
const toFilter = (name: string, changed: Readonly<Record<string, string>>): Command => ({
  name,
  run: () => {
    const { panel, query } = parseRoute(location.hash);
    go(toHash('requests', [], { ...(panel === 'requests' && query), ...changed }));
  },
});

export const commands: PanelCommands = {
  match: (text) =>
    filterByText(text, [
      { name: 'Clear the requests', ...clearRequests },
      { name: 'Send a first request', run: sendFirst },
      { name: 'Show all requests', run: () => go(toHash('requests')) },
      { name: 'Show the walks', run: () => go(toHash('requests', ['walks'])) },
      { name: 'Compare sessions', run: () => go(toHash('requests', ['sessions'])) },
      ...chips.map(({ label, filter }) => toFilter(`Show requests: ${label}`, pressChip({}, filter))),
    ]),
  find: async (search, own) => {
    const id = openKey();
    const [found, open, keys] = await Promise.all([
      own.requests.list({ search }, { limit: maxFound, bodies: false, kept: true }),
      id === undefined ? undefined : own.requests.get(id).catch(() => undefined), // it may be no longer kept
      own.scenario.keys(),
    ]);
    return [
      ...found.reverse().map((one) => ({
        kind: 'request',
        name: `${one.id} ${one.method} ${one.path}`,
        run: () => go(toHash('requests', [keyOf(one)])),
      })),
      ...filterByText(search, open ? actionsOf(open, keys) : []),
    ];
  },
};

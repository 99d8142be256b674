import { filterByText, maxFound, type PanelCommands, type Task } from '../../commands.ts';
import { control } from '../../connection.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { actionsOf } from './actions.ts';
import { chips, toggleTerm } from './filter.ts';
import { keyOf } from './texts.ts';

/** The key of the open request. */
const openKey = (): string | undefined => {
  const { panel, rest } = parseRoute(location.hash);
  const [key = ''] = rest;
  return panel !== 'requests' || key === '' ? undefined : key;
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

export const commands: PanelCommands = {
  match: (text) =>
    filterByText(text, [
      { name: 'Clear the requests', ...clearRequests },
      { name: 'Show all requests', run: () => go(toHash('requests')) },
      { name: 'Show the walks', run: () => go(toHash('walks')) },
      { name: 'Compare sessions', run: () => go(toHash('sessions')) },
      ...chips.map(({ label, term }) => ({
        name: `Show requests: ${label}`,
        run: () => go(toHash('requests', [], { q: toggleTerm('', term) })),
      })),
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

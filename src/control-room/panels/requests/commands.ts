import { filterByText, maxFound, type PanelCommands, type Task } from '../../commands.ts';
import { control } from '../../connection.ts';
import { readKeys } from '../../openapi.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { actionsOf } from './actions.ts';
import { chips } from './filter.ts';
import { keyOf } from './texts.ts';

/** The key of the open request. */
const openKey = (): string | undefined => {
  const { panel, rest } = parseRoute(location.hash);
  return panel === 'requests' ? rest[0] : undefined;
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
      ...chips.map(({ label, term }) => ({
        name: `Show requests: ${label}`,
        run: () => go(toHash('requests', [], { q: term })),
      })),
    ]),
  find: async (search, own) => {
    const key = openKey();
    const [found, open, keys] = await Promise.all([
      own.requests.list({ search }, { limit: maxFound, bodies: false, kept: true }),
      key === undefined ? undefined : own.requests.get(key).catch(() => undefined), // it may be no longer kept
      readKeys(own),
    ]);
    return [
      ...found.reverse().map((request) => ({
        kind: 'request',
        name: `${request.id} ${request.method} ${request.path}`,
        run: () => go(toHash('requests', [keyOf(request)])),
      })),
      ...filterByText(search, open ? actionsOf(open, keys) : []),
    ];
  },
};

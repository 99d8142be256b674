import { IconBolt, IconCopy, IconSend } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { copy } from '../../act.tsx';
import type { Command, PanelCommands, Task } from '../../commands.ts';
import { baseUrl, control } from '../../connection.ts';
import { readKeys, type Values } from '../../openapi.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { openTryIt } from '../../try-it-state.ts';
import { chips } from './filter.ts';
import { keyOf, toCall, toCurl, toFaultLine } from './texts.ts';

/** How many requests are found. */
const maxFound = 5;

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

/** The link to a request, with the filters of the list as they are. */
export const linkToRequest = (key: string): string =>
  toHash('requests', [key], parseRoute(location.hash).query);

/**
 * What can be done with a request.
 *
 * @param keys that the session accepts, by the names of their headers
 */
export const actionsOf = (request: RecordedRequest, keys: Values): readonly Command[] => {
  const { operation, ordinal, params, query, body } = request;
  const copyCurl: Command = {
    name: 'Copy as curl',
    text: 'Copy as curl',
    Icon: IconCopy,
    run: () => copy(toCurl(toCall(request, baseUrl, keys))),
  };
  if (operation === null) return [copyCurl];
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const line = toFaultLine(request);
  const values = { ...params, ...Object.fromEntries(texts) };
  return [
    {
      name: 'Edit and resend',
      text: 'Edit and resend',
      Icon: IconSend,
      run: () => openTryIt({ operation, values, body: body ?? undefined, from: `request ${ordinal}` }),
    },
    copyCurl,
    { name: 'Make this a fault', Icon: IconBolt, run: () => go(toHash('faults', [], { line })) },
  ];
};

export const commands: PanelCommands = {
  match: () => [
    { name: 'Clear the requests', ...clearRequests },
    { name: 'Show all requests', run: () => go(toHash('requests')) },
    ...chips.map(({ label, term }) => ({
      name: `Show requests: ${label}`,
      run: () => go(toHash('requests', [], { q: term })),
    })),
  ],
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
        words: search, // perhaps of its body
        run: () => go(toHash('requests', [keyOf(request)])),
      })),
      ...(open ? actionsOf(open, keys) : []),
    ];
  },
};

/** The key of the open request. */
const openKey = (): string | undefined => {
  const { panel, rest } = parseRoute(location.hash);
  return panel === 'requests' ? rest[0] : undefined;
};

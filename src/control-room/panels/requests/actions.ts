// What can be done with a request: buttons of its details, and commands of the palette.
import { IconBolt, IconCopy, IconRefresh, IconRoute, IconSend } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { OperationId } from '../../../core/operations/ids.ts';
import { copy } from '../../act.tsx';
import type { Command } from '../../commands.ts';
import { baseUrl, control } from '../../connection.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { sender, senderHeader } from '../../sender.ts';
import { openTryIt } from '../../try-it-state.ts';
import { hasParams, headersToSend, type Keys, keyOf, targetOf, toCurl, toFaultLine } from './texts.ts';

/** The link to a request, with the filters of the list as they are; `other` is the key of one to compare it with. */
export const linkTo = (key: string, other = ''): string =>
  toHash('requests', [key], { ...parseRoute(location.hash).query, with: other });

export const actionsOf = (request: RecordedRequest, keys: Keys): readonly Command[] => [
  ...(request.operation === null
    ? []
    : [{ name: 'Edit and resend', text: 'Edit and resend', Icon: IconSend, run: () => edit(request) }]),
  { name: 'Resend', text: 'Resend', Icon: IconRefresh, run: () => resend(request, keys) },
  {
    name: 'Copy as curl',
    text: 'Copy as curl',
    Icon: IconCopy,
    run: () => copy(toCurl(request, baseUrl, keys)),
  },
  ...(request.operation === null
    ? []
    : [{ name: 'Make this a fault', Icon: IconBolt, run: () => makeFault(request) }]),
  ...(request.operation?.startsWith('list')
    ? [
        {
          name: 'Show its walk',
          Icon: IconRoute,
          run: () => go(toHash('walks', [], { page: keyOf(request) })),
        },
      ]
    : []),
];

/** Opens the drawer with the same call. */
const edit = ({ operation, ordinal, params, query, body }: RecordedRequest): void =>
  openTryIt({
    operation: operation ?? '',
    values: {
      ...params,
      ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    },
    body: body ?? undefined,
    from: `request ${ordinal}`,
  });

/** Opens the form of a fault that does the same to the same call. */
const makeFault = async (request: RecordedRequest): Promise<void> => {
  const { operation, path, ordinal } = request;
  const filter = { operation: operation as OperationId, ...(hasParams(request) && { path }) }; // it has one
  const same = await control.requests.list(filter, { bodies: false, kept: true });
  const number = same.filter((one) => one.ordinal <= ordinal).length;
  go(toHash('faults', [], { line: toFaultLine(request, number) }));
};

/** Sends the same call to the same session, and shows how its reply differs. */
const resend = async (request: RecordedRequest, keys: Keys): Promise<void> => {
  const { method, body } = request;
  const other = await send(targetOf(request), { method, headers: headersToSend(request, keys), body });
  go(linkTo(keyOf(request), other));
};

/** Returns the id of its request, or its number in the journal. */
const send = async (target: string, { body, ...init }: RequestInit): Promise<string> => {
  const id = await fetch(baseUrl.replace(/\/v1$/, '') + target, {
    ...init,
    ...(!/^(?:GET|HEAD)$/.test(init.method ?? 'GET') && { body }), // browsers send none with these
    headers: [...(init.headers as [string, string][]), [senderHeader, sender]],
    cache: 'no-store',
  }).then(
    async (response) => {
      await response.text().catch(() => ''); // the connection may be closed half way
      return response.headers.get('x-request-id');
    },
    () => null, // the connection may be reset: then the journal knows its id
  );
  const [latest] = await control.requests.list({}, { limit: 1, bodies: false, kept: true });
  const key = id ?? (latest && keyOf(latest));
  if (key === undefined)
    throw new Error('The request did not reach the server. Check that it runs, then send it again.');
  return key;
};

// What can be done with a request: buttons of its details, and commands of the palette.
import { IconBolt, IconCopy, IconPencil, IconRefresh, IconRoute } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import type { OperationId } from '../../../operations/ids.ts';
import { copy, type Offer } from '../../act.tsx';
import { baseUrl, control } from '../../connection.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { hasParams, type Keys, keyOf, type Sent, toCurl, toFaultLine, toSent } from './texts.ts';

/** The link to a request, with the filters of the list as they are: `linkTo('1', { with: '2' })`. */
export const linkTo = (
  key: string,
  changed: { readonly with?: string; readonly edit?: string } = {},
): string =>
  toHash('requests', [key], { ...parseRoute(location.hash).query, with: '', edit: '', ...changed });

export const actionsOf = (request: RecordedRequest, keys: Keys): readonly Offer[] => [
  {
    name: 'Resend',
    text: 'Resend',
    Icon: IconRefresh,
    run: () => sendBeside(request, toSent(request, keys)),
  },
  {
    name: 'Copy as curl',
    text: 'Copy as curl',
    Icon: IconCopy,
    run: () => copy(toCurl(request, baseUrl, keys)),
    done: 'Copied',
    undo: false,
  },
  {
    name: 'Change and resend',
    Icon: IconPencil,
    run: () => go(linkTo(keyOf(request), { edit: parseRoute(location.hash).query.edit ? '' : 'yes' })),
  },
  ...(request.operation === null
    ? []
    : [{ name: 'Make this a fault', Icon: IconBolt, run: () => makeFault(request) }]),
  ...(request.operation?.startsWith('list')
    ? [
        {
          name: 'Show its walk',
          Icon: IconRoute,
          run: () => go(toHash('requests', ['walks'], { page: keyOf(request) })),
        },
      ]
    : []),
];

/** Opens the form of a fault that does the same to the same call. */
const makeFault = async (request: RecordedRequest): Promise<void> => {
  const { operation, path, ordinal } = request;
  const filter = { operation: operation as OperationId, ...(hasParams(request) && { path }) }; // it has one
  const same = await control.requests.list(filter, { bodies: false, kept: true });
  const number = same.filter((one) => one.ordinal <= ordinal).length;
  go(toHash('faults', [], { line: toFaultLine(request, number) }));
};

/** Sends a call to the same session, and shows how its reply differs from that of a request. */
export const sendBeside = async (request: RecordedRequest, sent: Sent): Promise<void> =>
  go(linkTo(keyOf(request), { with: await send(sent) }));

/** A call for somebody who has not sent one yet. */
export const sendFirst = async (): Promise<void> => {
  const { apiKey, virtualKey } = await control.scenario.keys();
  const headers = `x-gateway-api-key: ${apiKey}\nx-gateway-virtual-key: ${virtualKey}`;
  go(toHash('requests', [await send({ first: 'GET /v1/batches?limit=2', headers, body: '' })]));
};

/** Returns the id of its request, or its number in the journal. */
const send = async ({ first, headers, body }: Sent): Promise<string> => {
  const [, method = '', target = ''] = /^\s*(\w+)\s+(\/\S*)\s*$/.exec(first) ?? [];
  if (target === '') throw new Error('Write a method and a path, such as GET /v1/batches?limit=2.');
  const given = headers.split('\n').flatMap((line): [string, string][] => {
    const [, name, value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  const hasBody = body !== '' && !/^(?:GET|HEAD)$/i.test(method);
  const id = await fetch(baseUrl.replace(/\/v1$/, '') + target, {
    method,
    headers: given,
    ...(hasBody && { body }),
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

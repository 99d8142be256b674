// What can be done with a request: buttons of its details, and commands of the palette.
import { IconBolt, IconCopy, IconSend } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { OperationId } from '../../../core/operations/ids.ts';
import { copy } from '../../act.tsx';
import type { Command } from '../../commands.ts';
import { baseUrl, control } from '../../connection.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { openTryIt } from '../../try-it-state.ts';
import { hasParams, type Keys, toCurl, toFaultLine } from './texts.ts';

/** The link to a request, with the filters of the list as they are. */
export const linkTo = (key: string): string => toHash('requests', [key], parseRoute(location.hash).query);

export const actionsOf = (request: RecordedRequest, keys: Keys): readonly Command[] => [
  ...(request.operation === null
    ? []
    : [{ name: 'Edit and resend', text: 'Edit and resend', Icon: IconSend, run: () => edit(request) }]),
  {
    name: 'Copy as curl',
    text: 'Copy as curl',
    Icon: IconCopy,
    run: () => copy(toCurl(request, baseUrl, keys)),
  },
  ...(request.operation === null
    ? []
    : [{ name: 'Make this a fault', Icon: IconBolt, run: () => makeFault(request) }]),
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

// What can be done with a request: buttons of its details, and commands of the palette.
import { IconBolt, IconCopy, IconSend } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { copy } from '../../act.tsx';
import type { Command } from '../../commands.ts';
import { baseUrl } from '../../connection.ts';
import { go, parseRoute, toHash } from '../../route.ts';
import { openTryIt } from '../../try-it-state.ts';
import { toCall, toCurl, toFaultLine } from './texts.ts';

/** The link to a request, with the filters of the list as they are. */
export const linkTo = (key: string): string => toHash('requests', [key], parseRoute(location.hash).query);

/** @param keys that the session accepts, by the names of their headers */
export const actionsOf = (
  request: RecordedRequest,
  keys: Readonly<Record<string, string>>,
): readonly Command[] => {
  const { operation, ordinal, params, query, body } = request;
  const copyCurl: Command = {
    name: 'Copy as curl',
    text: 'Copy as curl',
    Icon: IconCopy,
    run: () => copy(toCurl(toCall(request, baseUrl, keys))),
  };
  if (operation === null) return [copyCurl];
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return [
    {
      name: 'Edit and resend',
      text: 'Edit and resend',
      Icon: IconSend,
      run: () =>
        openTryIt({
          operation,
          values: { ...params, ...Object.fromEntries(texts) },
          body: body ?? undefined,
          from: `request ${ordinal}`,
        }),
    },
    copyCurl,
    {
      name: 'Make this a fault',
      Icon: IconBolt,
      run: () => go(toHash('faults', [], { line: toFaultLine(request) })),
    },
  ];
};

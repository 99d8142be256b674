import { Stack, Textarea, TextInput } from '@mantine/core';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { Action } from '../../action.tsx';
import { baseUrl, control } from '../../connection.ts';
import { go } from '../../route.ts';
import { linkTo } from './compare.tsx';
import { keyOf, targetOf } from './rows.ts';
import { isMasked, isOwnHeader, type Keys, withKeys } from './texts.ts';

/** What is sent. */
interface Sent {
  /** `GET /v1/batches?limit=2` */
  readonly first: string;
  /** A line each: `name: value`. */
  readonly headers: string;
  readonly body: string;
}

/** The same call with working keys; other masked headers are left out. */
const toSent = (request: RecordedRequest, keys: Keys): Sent => ({
  first: `${request.method} ${targetOf(request)}`,
  headers: Object.entries(withKeys(request, keys))
    .filter(([name, value]) => !isOwnHeader(name) && !isMasked(value))
    .map((pair) => pair.join(': '))
    .join('\n'),
  body: request.body ?? '',
});

/** Sends it to the same session, and returns the key of its request in the journal. */
const send = async ({ first, headers, body }: Sent): Promise<string> => {
  const [, method = '', target = ''] = /^\s*(\w+)\s+(\S+)\s*$/.exec(first) ?? [];
  if (!target.startsWith('/')) throw new Error('Write a method and a path, such as GET /v1/batches?limit=2.');
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

interface ResendProps {
  readonly request: RecordedRequest;
  readonly keys: Keys;
}

/** Sends a request again, and shows how the replies differ. */
export const ResendButton = ({ request, keys }: ResendProps) => (
  <Action
    run={async () => go(linkTo(request.id, await send(toSent(request, keys))))}
    leftSection={<IconRefresh size={16} aria-hidden />}
  >
    Resend
  </Action>
);

/** The form for sending it changed. */
export const ChangeAndResend = ({ request, keys }: ResendProps) => {
  const [sent, setSent] = useState(() => toSent(request, keys));
  const fieldOf = (name: keyof Sent) => ({
    size: 'xs',
    spellCheck: false,
    value: sent[name],
    classNames: { input: 'mono' },
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setSent({ ...sent, [name]: event.currentTarget.value }),
  });
  return (
    <Stack
      component="form"
      gap="xs"
      aria-label="Change and resend"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput data-autofocus label="Method and path" {...fieldOf('first')} />
      <Textarea label="Headers, one on each line" autosize minRows={2} maxRows={8} {...fieldOf('headers')} />
      <Textarea label="Body" autosize minRows={3} maxRows={12} {...fieldOf('body')} />
      <Action
        type="submit"
        variant="filled"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconSend size={16} aria-hidden />}
        run={async () => go(linkTo(request.id, await send(sent)))}
      >
        Send
      </Action>
    </Stack>
  );
};

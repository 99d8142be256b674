import { Stack, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { Action } from '../../act.tsx';
import { useKept } from '../../use-kept.ts';
import { sendBeside } from './actions.ts';
import { type Keys, type Sent, toSent } from './texts.ts';

interface ChangeProps {
  readonly request: RecordedRequest;
  readonly keys: Keys;
}

/** The form for sending a request changed. The browser keeps what was typed until the tab is closed. */
export const ChangeAndResend = ({ request, keys }: ChangeProps) => {
  const [kept, keep] = useKept<Sent>(`resend ${request.id} ${request.receivedAt}`); // a later journal uses the id again
  const sent = kept ?? toSent(request, keys);
  const fieldOf = (name: keyof Sent) => ({
    size: 'xs',
    spellCheck: false,
    value: sent[name],
    classNames: { input: 'mono' },
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      keep({ ...sent, [name]: event.currentTarget.value }),
  });
  const run = async (): Promise<void> => {
    await sendBeside(request, sent);
    keep(undefined);
  };
  return (
    <Stack
      component="form"
      gap="xs"
      aria-label="Change and resend"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput autoFocus label="Method and path" {...fieldOf('first')} />
      <Textarea label="Headers, one on each line" autosize minRows={2} maxRows={8} {...fieldOf('headers')} />
      <Textarea label="Body" autosize minRows={3} maxRows={12} {...fieldOf('body')} />
      <Action type="submit" variant="filled" style={{ alignSelf: 'flex-start' }} Icon={IconSend} run={run}>
        Send
      </Action>
    </Stack>
  );
};

import { Button, Group, Kbd, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { IconCopy, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { RecordedRequest } from '../core/journal/recorded-request.ts';
import { toJsonText } from '../core/util/json.ts';
import { messageOf } from '../core/util/message-of.ts';
import { readStopwatch } from '../core/util/stopwatch.ts';
import { tryParse } from '../core/util/try-parse.ts';
import { Action, copy } from './act.tsx';
import { Json } from './code.tsx';
import { baseUrl, control } from './connection.ts';
import { Dialog } from './dialog.tsx';
import { fillPath, type Operation, useCallValues, useIds, useOperations, type Values } from './openapi.ts';
import { Callouts } from './panels/requests/callouts.tsx';
import { RequestStatus } from './panels/requests/status.tsx';
import { type Call, formatMillis, keyOf, toCurl } from './panels/requests/texts.ts';
import { Choice } from './parts.tsx';
import { toHash } from './route.ts';
import { sender, senderHeader } from './sender.ts';
import { closeTryIt, type TryItStart, tryItState } from './try-it-state.ts';
import { useQuery } from './use-query.ts';

/** Sends a call, beside the panel, which stays in use. */
export const TryIt = () => {
  const start = tryItState.use((state) => state.start);
  const operations = useOperations();
  const values = useCallValues();
  return (
    <Dialog isBeside title={start?.from ? `Try it from ${start.from}` : 'Try it'} close={closeTryIt}>
      {start && operations && values && (
        <CallForm key={toJsonText([start])} start={start} operations={operations} defaults={values} />
      )}
    </Dialog>
  );
};

interface FormProps {
  readonly start: TryItStart;
  readonly operations: readonly Operation[];
  readonly defaults: Values;
}

const keyHeaders = ['x-gateway-api-key', 'x-gateway-virtual-key'];

const CallForm = ({ start, operations, defaults }: FormProps) => {
  const [id, setId] = useState(start.operation);
  const [values, setValues] = useState<Values>({ ...defaults, ...start.values });
  const [ownBody, setBody] = useState(start.body);
  const [sent, setSent] = useState<Awaited<ReturnType<typeof sendCall>>>();
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) return `There is no operation ${id}.`;
  const body =
    operation.method === 'GET'
      ? undefined
      : (ownBody ?? (operation.body === undefined ? undefined : toJsonText(operation.body, 2)));
  const call = toCall(operation, values, body);
  const send = async (sentValues: Values = values): Promise<void> =>
    setSent(await sendCall(toCall(operation, sentValues, body)));
  const page = Object(tryParse(sent?.body ?? ''));
  const toNext = async (): Promise<void> => {
    const next = { ...values, after: String(page.last_id), before: '' };
    setValues(next);
    await send(next);
  };
  const target = call.url.slice(baseUrl.length);
  return (
    <Stack gap="sm" onKeyDown={getHotkeyHandler([['mod+Enter', () => void send()]])}>
      <Stack gap={6}>
        <Choice
          autoFocus
          label="Operation"
          {...inLine}
          value={id}
          choices={operations.map((each) => [each.id, `${each.method} ${each.id}`])}
          choose={(chosen) => {
            setId(chosen);
            setBody(undefined);
            setSent(undefined);
          }}
        />
        {[...operation.parameters, ...keyHeaders.map((name) => ({ name }))].map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ''}
            set={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {body !== undefined &&
          (id === 'renderPrompt' ? (
            <Variables id={values.promptId ?? ''} body={body} setBody={setBody} />
          ) : (
            <Textarea
              label="Body"
              {...inLine}
              autosize
              maxRows={8}
              value={body}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          ))}
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <Action text="Send" variant="filled" Icon={IconSend} run={() => send()} />
        <Kbd visibleFrom="sm">Ctrl Enter</Kbd>
        <Text className="mono" c="dimmed" truncate flex={1} title={target}>
          {call.method} {target}
        </Text>
        <Action text="As curl" Icon={IconCopy} run={() => copy(toCurl(call))} />
      </Group>
      {sent && (
        <Stack gap="xs" component="section" aria-label="Reply">
          <Group gap="xs">
            {sent.request ? <RequestStatus request={sent.request} /> : <b>{sent.status ?? 'no reply'}</b>}
            <Text c="dimmed" mr="auto">
              {formatMillis(sent.millis)}
              {Array.isArray(page.data) && ` · ${page.data.length} records · has_more ${page.has_more}`}
            </Text>
            {sent.request && (
              <Button component="a" href={toHash('requests', [keyOf(sent.request)])}>
                Show
              </Button>
            )}
            {page.has_more === true && <Action text="Next page" run={toNext} />}
          </Group>
          {sent.request && <Callouts request={sent.request} />}
          <Json value={sent.body} label="Body of the reply" />
        </Stack>
      )}
    </Stack>
  );
};

/** The label of a field stands before it. */
const inLine = {
  classNames: { input: 'mono' },
  styles: { root: { display: 'grid', gridTemplateColumns: '148px minmax(0, 1fr)', alignItems: 'center' } },
  labelProps: { fw: 400, c: 'dimmed' },
};

const toCall = ({ path, method, parameters }: Operation, values: Values, body: string | undefined): Call => {
  const pick = (names: readonly string[]): Values =>
    Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const search = new URLSearchParams(pick(namesIn('query'))).toString();
  const headers = pick([...keyHeaders, ...namesIn('header')]);
  return {
    method,
    url: baseUrl + fillPath(path, values) + (search && `?${search}`),
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body ?? null,
  };
};

/** Sends a call, and finds it in the journal: `request` is undefined if that is off. */
const sendCall = async ({ url, method, headers, body }: Call) => {
  const began = readStopwatch();
  const reply = await fetch(url, {
    method,
    body,
    cache: 'no-store',
    headers: { ...headers, [senderHeader]: sender },
  }).then(
    async (response) => ({
      status: response.status,
      id: response.headers.get('x-request-id'),
      body: await response.text().catch((error: unknown) => `The body ended early: ${messageOf(error)}`),
    }),
    (error: unknown) => ({ status: undefined, id: null, body: `No reply: ${messageOf(error)}` }),
  );
  const millis = readStopwatch() - began;
  const find = async (): Promise<RecordedRequest | undefined> =>
    reply.id === null
      ? (await control.requests.list({}, { limit: 1, kept: true }))[0]
      : await control.requests.get(reply.id);
  return { status: reply.status, millis, body: reply.body, request: await find().catch(() => undefined) };
};

interface ParameterProps {
  readonly parameter: Partial<Operation['parameters'][number]> & { readonly name: string };
  readonly value: string;
  readonly set: (value: string) => void;
}

/** A field with its choices: of an `enum`, or ids of records. */
const ParameterField = ({ parameter: { name, schema }, value, set }: ParameterProps) => {
  const ids = useIds(name);
  if (schema?.enum) {
    const choices = [['', 'default'] as const, ...schema.enum.map(String)];
    return <Choice label={name} {...inLine} value={value} choices={choices} choose={set} />;
  }
  const range = schema?.maximum === undefined ? 'empty' : `${schema.minimum ?? 0} to ${schema.maximum}`;
  return (
    <>
      <TextInput
        label={name}
        {...inLine}
        placeholder={range}
        list={`try-it-${name}`}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <datalist id={`try-it-${name}`}>
        {ids.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  );
};

interface VariablesProps {
  /** The id of a prompt, perhaps with a version. */
  readonly id: string;
  readonly body: string;
  readonly setBody: (body: string) => void;
}

/** A field for each variable of a prompt. They are in the body. */
const Variables = ({ id, body, setBody }: VariablesProps) => {
  const { value: names = [] } = useQuery(['variables', id], async (own) =>
    own.records.prompts.describe(id).then(
      ({ variables }) => variables,
      () => [], // there is no such prompt
    ),
  );
  const request = Object(tryParse(body));
  const variables: Readonly<Record<string, unknown>> = Object(request.variables);
  return names.map((name) => {
    const value = variables[name] ?? '';
    const set = (text: string): void => {
      const typed = /^[[{]/.test(text) ? (tryParse(text) ?? text) : text;
      // Those of another prompt would only be in the way.
      const others = Object.entries(variables).filter(([other]) => names.includes(other));
      setBody(toJsonText({ ...request, variables: { ...Object.fromEntries(others), [name]: typed } }, 2));
    };
    return (
      <TextInput
        key={name}
        label={name}
        {...inLine}
        value={typeof value === 'string' ? value : toJsonText(value)}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  });
};

import {
  Autocomplete,
  Button,
  Drawer,
  Group,
  Kbd,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { RecordedRequest } from '../core/journal/recorded-request.ts';
import { toJsonText } from '../core/util/json.ts';
import { messageOf } from '../core/util/message-of.ts';
import { readStopwatch } from '../core/util/stopwatch.ts';
import { tryParse } from '../core/util/try-parse.ts';
import { Action, Copy } from './act.tsx';
import { baseUrl, control } from './connection.ts';
import { Json } from './json.tsx';
import { recordsOf } from './kinds.ts';
import {
  fillPath,
  kindOfParameter,
  type Operation,
  type Parameter,
  readIds,
  useOperations,
} from './openapi.ts';
import { Callouts } from './panels/requests/callouts.tsx';
import { Status } from './panels/requests/status.tsx';
import { formatMillis, keyOf, quote } from './panels/requests/texts.ts';
import { toHash } from './route.ts';
import { sender, senderHeader } from './sender.ts';
import { closeTryIt, type TryItStart, tryItState } from './try-it-state.ts';
import { useQuery } from './use-query.ts';
import './try-it.css';

type Values = Readonly<Record<string, string>>;

/** A drawer that sends a call, beside the panel, which stays in use. */
export const TryIt = () => {
  const start = tryItState.use((state) => state.start);
  const operations = useOperations();
  const { value: session } = useQuery('try', async (own) => ({
    ids: await readIds(own),
    keys: await own.scenario.keys(),
  }));
  return (
    <Drawer
      opened={start !== undefined}
      onClose={closeTryIt}
      position="right"
      size={520}
      title={`Try it${start?.from ? ` from ${start.from}` : ''}`}
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
      classNames={{ inner: 'try-it' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'none' } }} // the page has a banner
    >
      {start && operations && session && (
        <CallForm key={toJsonText([start])} start={start} operations={operations} {...session} />
      )}
    </Drawer>
  );
};

interface FormProps {
  readonly start: TryItStart;
  readonly operations: readonly Operation[];
  readonly ids: Values;
  readonly keys: { readonly apiKey: string; readonly virtualKey: string };
}

interface Call {
  /** The path from `/v1` on, with the query. */
  readonly target: string;
  readonly method: string;
  readonly headers: Values;
  readonly body?: string;
}

interface Sent {
  readonly status: number | undefined;
  readonly millis: number;
  readonly body: string;
  /** As the journal has it; undefined if it is off. */
  readonly request: RecordedRequest | undefined;
}

const CallForm = ({ start, operations, ids, keys }: FormProps) => {
  const [id, setId] = useState(start.operation);
  const operation = operations.find((known) => known.id === id) ?? operations[0];
  const [values, setValues] = useState<Values>({
    ...ids,
    'x-gateway-api-key': keys.apiKey,
    'x-gateway-virtual-key': keys.virtualKey,
    ...start.values,
  });
  const [body, setBody] = useState(start.body);
  const [sent, setSent] = useState<Sent>();
  if (operation === undefined) return 'There are no operations.';
  const set = (name: string, value: string): void => setValues({ ...values, [name]: value });
  const text = body ?? (operation.body === undefined ? undefined : toJsonText(operation.body, 2));
  const isRender = operation.id === 'renderPrompt';

  const call = (given: Values): Call => {
    const search = new URLSearchParams(
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) => (given[name] ? [[name, given[name]]] : [])),
    ).toString();
    const headers = Object.fromEntries(
      ['x-gateway-api-key', 'x-gateway-virtual-key']
        .concat(operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name))
        .flatMap((name) => (given[name] ? [[name, given[name]]] : [])),
    );
    const hasBody = text !== undefined && operation.method !== 'GET';
    return {
      target: fillPath(operation.path, given) + (search && `?${search}`),
      method: operation.method,
      headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(hasBody && { body: text }),
    };
  };
  const send = async (given: Values = values): Promise<void> => {
    const { target, ...init } = call(given);
    setSent(await sendCall(target, init));
  };
  const { target, method, headers, body: sentBody } = call(values);
  const curl = [
    `curl ${quote(baseUrl + target)}`,
    ...(method === 'GET' || (method === 'POST' && sentBody !== undefined) ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(sentBody === undefined ? [] : [`--data-raw ${quote(sentBody)}`]),
  ].join(' \\\n  ');
  const page = Object(tryParse(sent?.body ?? ''));
  const next = page.has_more === true && typeof page.last_id === 'string' ? String(page.last_id) : undefined;
  const toNext = async (): Promise<void> => {
    const moved = { ...values, after: next ?? '', before: '' };
    setValues(moved);
    await send(moved);
  };
  return (
    <Stack gap="sm" onKeyDown={getHotkeyHandler([['mod+Enter', () => void send()]])}>
      <div className="try-it-fields">
        <Row name="Operation">
          <NativeSelect
            data-autofocus
            aria-label="Operation"
            value={operation.id}
            data={operations.map((known) => ({ value: known.id, label: `${known.method} ${known.id}` }))}
            onChange={(event) => {
              setId(event.currentTarget.value);
              setBody(undefined);
              setSent(undefined);
            }}
          />
        </Row>
        {operation.parameters.map((parameter) => (
          <Row key={parameter.name} name={parameter.name}>
            <ParameterField
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              set={(value) => set(parameter.name, value)}
            />
          </Row>
        ))}
        {isRender && <Variables id={values.promptId ?? ''} body={text ?? '{}'} setBody={setBody} />}
        {!isRender && text !== undefined && operation.method !== 'GET' && (
          <Row name="Body">
            <Textarea
              aria-label="Body"
              autosize
              maxRows={8}
              classNames={{ input: 'mono' }}
              value={text}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          </Row>
        )}
        {['x-gateway-api-key', 'x-gateway-virtual-key'].map((name) => (
          <Row key={name} name={name.replace('x-gateway-', '')}>
            <TextInput
              aria-label={name}
              classNames={{ input: 'mono' }}
              value={values[name] ?? ''}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          </Row>
        ))}
      </div>
      <Group gap="xs" wrap="nowrap">
        <Action variant="filled" Icon={IconSend} run={() => send()}>
          Send
        </Action>
        <Kbd>Ctrl Enter</Kbd>
        <span className="try-it-target mono dimmed" title={target}>
          {method} {target}
        </span>
        <Copy text={curl} label="As curl" />
      </Group>
      {sent && (
        <Stack gap="xs" component="section" aria-label="Reply">
          <Group gap="xs">
            {sent.request ? <Status request={sent.request} /> : <b>{sent.status ?? 'no reply'}</b>}
            <span className="dimmed">
              {formatMillis(sent.millis)}
              {Array.isArray(page.data) && ` · ${page.data.length} records · has_more ${page.has_more}`}
            </span>
            <Group gap={6} ml="auto">
              {sent.request && (
                <Button component="a" variant="default" href={toHash('requests', [keyOf(sent.request)])}>
                  Show
                </Button>
              )}
              {next !== undefined && <Action run={toNext}>Next page</Action>}
            </Group>
          </Group>
          {sent.request && <Callouts request={sent.request} />}
          <Json value={sent.body} label="Body of the reply" />
        </Stack>
      )}
    </Stack>
  );
};

/** Sends a call, and finds it in the journal. */
const sendCall = async (target: string, { method, headers, body }: Omit<Call, 'target'>): Promise<Sent> => {
  const began = readStopwatch();
  const reply = await fetch(baseUrl + target, {
    method,
    body: body ?? null,
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

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <span className="dimmed" aria-hidden>
      {name}
    </span>
    {children}
  </>
);

interface ParameterProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** How many records an id is chosen from. */
const maxIds = 50;

const ParameterField = ({ parameter: { name, schema }, value, set }: ParameterProps) => {
  const kind = kindOfParameter[name];
  const { value: ids = [] } = useQuery(['ids', kind], async (own) =>
    kind === undefined ? [] : (await recordsOf(kind, own).list({ limit: maxIds })).map(({ id }) => id),
  );
  const common = { 'aria-label': name, value, autoComplete: 'off', classNames: { input: 'mono' } };
  if (kind !== undefined) return <Autocomplete {...common} data={ids} onChange={set} />;
  const onChange = (event: { readonly currentTarget: { readonly value: string } }): void =>
    set(event.currentTarget.value);
  if (schema?.enum) {
    const data = [{ value: '', label: 'default' }, ...schema.enum.map(String)];
    return <NativeSelect {...common} data={data} onChange={onChange} />;
  }
  const range = schema?.maximum === undefined ? '' : `${schema.minimum ?? 0} to ${schema.maximum}`;
  return <TextInput {...common} placeholder={range || 'empty'} onChange={onChange} />;
};

interface VariablesProps {
  /** The id of a prompt, perhaps with a version. */
  readonly id: string;
  readonly body: string;
  readonly setBody: (body: string) => void;
}

/** A field for each variable of a prompt. They are in the body. */
const Variables = ({ id, body, setBody }: VariablesProps) => {
  const { value: names } = useQuery(['variables', id], async (own) =>
    id === ''
      ? []
      : await own.records.prompts.describe(id).then(
          ({ variables }) => variables,
          () => [],
        ),
  );
  const request = Object(tryParse(body));
  const variables: Readonly<Record<string, unknown>> = Object(request.variables);
  useEffect(() => {
    // Those of another prompt would only be in the way.
    const others = Object.keys(variables).filter((name) => !names?.includes(name));
    if (names && others.length > 0 && names.length > 0)
      setBody(toJsonText({ ...request, variables: pick(variables, names) }, 2));
  }, [names]);
  return (names ?? []).map((name) => {
    const value = variables[name];
    return (
      <Row key={name} name={name}>
        <TextInput
          aria-label={name}
          value={typeof value === 'string' ? value : value === undefined ? '' : toJsonText(value)}
          onChange={(event) => {
            const text = event.currentTarget.value;
            const typed = /^[[{]/.test(text) ? (tryParse(text) ?? text) : text;
            setBody(toJsonText({ ...request, variables: { ...variables, [name]: typed } }, 2));
          }}
        />
      </Row>
    );
  });
};

const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

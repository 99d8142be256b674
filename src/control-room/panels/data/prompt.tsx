import {
  Alert,
  Badge,
  Group,
  Mark,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { LostWorldError } from '../../../admin/remote.ts';
import type { Control } from '../../../control/types.ts';
import { toJsonText } from '../../../util/json.ts';
import type { Mapping } from '../../../util/mapping.ts';
import { messageOf } from '../../../util/message-of.ts';
import { Copy } from '../../copy.tsx';
import { Json } from '../../json.tsx';
import type { AnyRecord } from '../../kinds.ts';
import { type Route, setQuery } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import {
  agreeing,
  type Message,
  markMissing,
  parseVariables,
  pickVersion,
  splitMissing,
  splitTags,
  versionsOf,
} from './template.ts';
import { VariablesForm } from './variables.tsx';

interface PromptProps {
  readonly record: AnyRecord;
  readonly route: Route;
}

/** A stored prompt: variables in, messages out. */
export const PromptForm = ({ record, route }: PromptProps) => {
  const { version: suffix = '', variables: asked = '{}' } = route.query;
  const version = pickVersion(record, suffix);
  const { value: rendering } = useQuery(
    ['rendering', record.id],
    (control) => render(control, suffix === '' ? record.id : `${record.id}@${suffix}`, asked),
    { details: [suffix, asked], wait: 150 },
  );
  const missing = rendering?.missing ?? [];
  return (
    <>
      <Paper component="section" aria-label="Rendering">
        <Group justify="space-between" mb="xs">
          <Title order={3} size="h4">
            Rendering
          </Title>
          <VersionPicker record={record} route={route} />
        </Group>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <VariablesForm route={route} messages={version?.messages ?? []} missing={missing} />
          <Stack gap="sm" component="section" aria-label="Rendered messages">
            {rendering?.error !== undefined && (
              <Alert color="red" role="alert" p="xs">
                <Foreign text={rendering.error} />
              </Alert>
            )}
            {rendering?.marked.map((message, at) => (
              <MessageView key={at} message={message} split={splitMissing} missing={[]} />
            ))}
            {rendering && rendering.error === undefined && (
              <Group>
                <Copy text={toJsonText(rendering.messages, 2)} label="Copy messages as JSON" />
              </Group>
            )}
          </Stack>
        </SimpleGrid>
      </Paper>
      <Paper component="section" aria-label="Template">
        <Title order={3} size="h4" mb="xs">
          {version === undefined ? 'Template' : `Template of version ${version.version}, as stored`}
        </Title>
        {version === undefined ? (
          <Text c="dimmed">There is no version “{isolate(suffix)}”.</Text>
        ) : (
          <Stack gap="sm">
            {version.messages.map((message, at) => (
              <MessageView key={at} message={message} split={splitTags} missing={missing} />
            ))}
            {Object.keys(version.parameters).length > 0 && (
              <details>
                <summary>Parameters</summary>
                <Json value={version.parameters} label="Parameters" />
              </details>
            )}
          </Stack>
        )}
      </Paper>
    </>
  );
};

interface Rendering {
  readonly messages: readonly object[];
  readonly marked: readonly Message[];
  readonly missing: readonly string[];
  /** What is wrong with the variables or the template. */
  readonly error?: string;
}

const render = async (control: Control, id: string, asked: string): Promise<Rendering> => {
  try {
    return await renderMarked(control, id, parseVariables(asked));
  } catch (error) {
    if (error instanceof LostWorldError) throw error;
    return { messages: [], marked: [], missing: [], error: messageOf(error) };
  }
};

const renderMarked = async (control: Control, id: string, variables: Mapping): Promise<Rendering> => {
  const { prompts } = control.records;
  const { messages, missing } = await prompts.render(id, variables);
  const plain = messages as readonly Message[];
  if (missing.length === 0) return { messages, missing, marked: plain };
  const second = await prompts.render(id, markMissing(variables, missing)).catch(() => ({ messages }));
  return { messages, missing, marked: agreeing(second.messages as readonly Message[], plain) };
};

const VersionPicker = ({ record, route }: PromptProps) => {
  const { version: suffix = '' } = route.query;
  const versions = versionsOf(record);
  if (record.versions === undefined && suffix === '') return null;
  const data = [
    { value: '', label: `published (${pickVersion(record, '')?.version})` },
    { value: 'latest', label: `@latest (${pickVersion(record, 'latest')?.version})` },
    ...versions.map(({ version }) => ({ value: String(version), label: `@${version}` })),
    ...versions.flatMap(({ labels, version }) =>
      labels.map((label) => ({ value: label, label: `@${isolate(label)} (${version})` })),
    ),
  ];
  return (
    <NativeSelect
      size="xs"
      aria-label="Version"
      data={data}
      value={suffix}
      onChange={(event) => setQuery(route, { version: event.currentTarget.value })}
    />
  );
};

interface MessageProps {
  readonly message: Message;
  /** Every second part is marked. */
  readonly split: (text: string) => readonly string[];
  readonly missing: readonly string[];
}

const MessageView = ({ message, split, missing }: MessageProps) => {
  const { role, name, content, ...others } = message;
  const mark = (text: string) =>
    split(text).map((piece, at) => {
      if (at % 2 === 0) return <Foreign key={at} text={piece} />;
      const isTag = piece.startsWith('{{');
      const isMissing = !isTag || missing.includes(piece.replaceAll(/[{}&\s]/g, ''));
      return (
        <Mark
          key={at}
          className="data-mark"
          data-missing={isMissing || undefined}
          title={isMissing ? 'missing' : undefined}
        >
          <Foreign text={piece} />
        </Mark>
      );
    });
  return (
    <Paper p="xs" component="article" aria-label={isolate(`Message of ${role}`)}>
      <Group gap="xs" mb={4}>
        <Badge color="blue">
          <Foreign text={role} />
        </Badge>
        {typeof name === 'string' && <Text size="sm">name: {mark(name)}</Text>}
      </Group>
      {typeof content === 'string' && content !== '' ? (
        <Text size="sm" className="data-text">
          {mark(content)}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {content === '' ? 'empty text' : 'no content'}
        </Text>
      )}
      {Object.keys(others).length > 0 && (
        <Json value={others} label={isolate(`More of the message of ${role}`)} />
      )}
    </Paper>
  );
};

import { Badge, Group, Mark, NativeSelect, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Control } from '../../../control/types.ts';
import { toJsonText } from '../../../util/json.ts';
import { tryParse } from '../../../util/try-parse.ts';
import { Copy } from '../../copy.tsx';
import { Json } from '../../json.tsx';
import type { AnyRecord } from '../../kinds.ts';
import { type Route, setQuery } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { type Message, parseVariables, pickVersion, splitTags, versionsOf } from './template.ts';
import { VariablesForm } from './variables.tsx';

interface PromptProps {
  readonly record: AnyRecord;
  readonly route: Route;
}

/** A stored prompt: variables in, messages out. */
export const PromptView = ({ record, route }: PromptProps) => {
  const { version: suffix = '', variables = '' } = route.query;
  const version = pickVersion(record, suffix);
  const { value: rendering } = useQuery(
    ['rendering', record.id],
    (own) => render(own, suffix === '' ? record.id : `${record.id}@${suffix}`, variables),
    { details: [suffix, variables], wait: 150 },
  );
  const { messages = [], missing = [] } = rendering ?? {};
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
          <Stack gap="sm" component="section" aria-label="Rendered messages" align="stretch">
            {messages.map((message, at) => (
              <MessageView key={at} message={message} />
            ))}
            <Copy text={toJsonText(messages, 2)} label="Copy messages as JSON" />
          </Stack>
        </SimpleGrid>
      </Paper>
      <Paper component="section" aria-label="Template">
        <Title order={3} size="h4" mb="xs">
          {version ? `Template of version ${version.version}` : `There is no version “${isolate(suffix)}”`}
        </Title>
        <Stack gap="sm">
          {version?.messages.map((message, at) => (
            <MessageView key={at} message={message} missing={missing} />
          ))}
        </Stack>
      </Paper>
    </>
  );
};

/** While the variables cannot be read, which their field says, none are sent. */
const render = async ({ records }: Control, id: string, variables: string) => {
  const { messages, missing } = await records.prompts.render(id, tryParse(variables, parseVariables) ?? {});
  return { messages: messages as readonly Message[], missing }; // as it rendered them
};

const VersionPicker = ({ record, route }: PromptProps) => {
  const { version: suffix = '' } = route.query;
  if (record.versions === undefined && suffix === '') return null;
  const versions = versionsOf(record);
  const labels = versions.flatMap((one) =>
    one.labels.map((label) => [label, `@${isolate(label)} (${one.version})`]),
  );
  const options = [
    ['', `published (${pickVersion(record, '')?.version})`],
    ['latest', `@latest (${pickVersion(record, 'latest')?.version})`],
    ...versions.map(({ version }) => [String(version), `@${version}`]),
    ...labels,
  ];
  return (
    <NativeSelect
      size="xs"
      aria-label="Version"
      data={options.map(([value = '', label = '']) => ({ value, label }))}
      value={suffix}
      onChange={({ currentTarget }) => setQuery(route, { version: currentTarget.value })}
    />
  );
};

interface MessageProps {
  readonly message: Message;
  /** The names of the missing variables, if it is of a template, in which tags are marked. */
  readonly missing?: readonly string[];
}

const MessageView = ({ message: { role, content, ...others }, missing }: MessageProps) => (
  <Paper p="xs" component="article" aria-label={isolate(`Message of ${role}`)}>
    <Badge color="blue" mb={4}>
      <Foreign text={role} />
    </Badge>
    <Text size="sm" className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
      {(missing === undefined ? [String(content ?? '')] : splitTags(String(content ?? ''))).map((part, at) =>
        at % 2 === 0 ? (
          <Foreign key={at} text={part} />
        ) : (
          <Tag key={at} text={part} isMissing={missing?.includes(part.replaceAll(/[{}&\s]/g, '')) === true} />
        ),
      )}
    </Text>
    {Object.keys(others).length > 0 && (
      <Json value={others} label={isolate(`More of the message of ${role}`)} />
    )}
  </Paper>
);

const Tag = ({ text, isMissing }: { readonly text: string; readonly isMissing: boolean }) => (
  <Mark
    color={isMissing ? 'orange' : 'blue'}
    className="data-mark"
    data-missing={isMissing}
    title={isMissing ? 'missing' : undefined}
  >
    <Foreign text={text} />
  </Mark>
);

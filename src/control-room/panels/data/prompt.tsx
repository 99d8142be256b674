import { Badge, Group, Mark, NativeSelect, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { toJsonText } from '../../../util/json.ts';
import { Copy } from '../../act.tsx';
import { Json } from '../../json.tsx';
import type { AnyRecord } from '../../kinds.ts';
import { Section } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { type Message, readVariables, type StoredPrompt, splitTags, VariablesForm } from './variables.tsx';

/** A stored prompt: variables in, messages out. */
export const PromptView = ({ record }: { readonly record: AnyRecord }) => {
  const { version: suffix = '', variables = '' } = useRoute().query;
  const { messages: own = [], versions = [], published } = record as StoredPrompt; // the caller knows the kind
  const wanted = Number(suffix) || (published ?? Math.max(...versions.map(({ version }) => version)));
  const template = versions.find(({ version }) => version === wanted)?.messages ?? own;
  const { value: rendering } = useQuery(
    ['rendering', record.id],
    (control) =>
      control.records.prompts.render(
        suffix === '' ? record.id : `${record.id}@${suffix}`,
        readVariables(variables),
      ),
    { details: [suffix, variables], wait: 150 },
  );
  const { missing = [] } = rendering ?? {};
  const messages = (rendering?.messages ?? []) as readonly Message[]; // as it rendered them
  return (
    <>
      <Section
        title="Rendering"
        side={
          versions.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label="Version"
              data={[
                { value: '', label: 'published' },
                ...versions.map(({ version, labels = [] }) => ({
                  value: String(version),
                  label: isolate([`@${version}`, ...labels].join(', ')),
                })),
              ]}
              value={suffix}
              onChange={({ currentTarget }) => setQuery({ version: currentTarget.value })}
            />
          )
        }
      >
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="xs">
          <VariablesForm messages={template} missing={missing} />
          <Stack gap="sm" component="section" aria-label="Rendered messages">
            {messages.map((message, at) => (
              <MessageView key={at} message={message} />
            ))}
            <Group>
              <Copy text={toJsonText(messages, 2)} label="Copy messages as JSON" />
            </Group>
          </Stack>
        </SimpleGrid>
      </Section>
      <Section title="Template" note={versions.length > 0 && `Of version ${wanted}`}>
        <Stack gap="sm" mt="xs">
          {template.map((message, at) => (
            <MessageView key={at} message={message} missing={missing} />
          ))}
        </Stack>
      </Section>
    </>
  );
};

interface MessageProps {
  readonly message: Message;
  /** The names of the missing variables, if it is of a template, in which tags are marked. */
  readonly missing?: readonly string[];
}

const MessageView = ({ message: { role, name, content, ...others }, missing }: MessageProps) => {
  const text = typeof content === 'string' ? content : '';
  return (
    <Paper p="xs" component="article" aria-label={isolate(`Message of ${role}`)}>
      <Badge color="blue" mb={4} maw="100%">
        <Foreign text={typeof name === 'string' ? `${role}: ${name}` : role} />
      </Badge>
      <Text className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
        {(missing ? splitTags(text) : [text]).map((part, at) => {
          if (at % 2 === 0) return <Foreign key={at} text={part} />;
          const isMissing = missing?.includes(part.replaceAll(/[{}&\s]/g, ''));
          return (
            <Mark key={at} color={isMissing ? 'orange' : 'blue'} title={isMissing ? 'missing' : undefined}>
              <Foreign text={part} />
            </Mark>
          );
        })}
      </Text>
      {Object.keys(others).length > 0 && (
        <Json value={others} label={isolate(`More of the message of ${role}`)} />
      )}
    </Paper>
  );
};

import { Badge, Group, NativeSelect, Paper, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';
import type { PromptMessage } from '../../../core/operations/render-prompt/types.ts';
import { parseJson, toJsonText } from '../../../core/util/json.ts';
import { isMapping, type Mapping } from '../../../core/util/mapping.ts';
import { messageOf } from '../../../core/util/message-of.ts';
import { Copy } from '../../act.tsx';
import { Json } from '../../json.tsx';
import type { AnyRecord } from '../../kinds.ts';
import { fieldError, Section } from '../../parts.tsx';
import { useParam } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

interface Versions {
  readonly versions?: readonly { readonly version: number; readonly labels?: readonly string[] }[];
}

/** A stored prompt as it renders: variables in, messages out. Both the variables and the version are in the link. */
export const PromptView = ({ record }: { readonly record: AnyRecord }) => {
  const version = useParam('version');
  const variables = useParam('variables');
  const { versions = [] } = record as Versions; // the caller knows the kind
  const read = readVariables(variables.value);
  const valid = useRef<Mapping>({});
  if (typeof read !== 'string') valid.current = read; // while somebody types, the last messages stay
  const { value: rendering } = useQuery(
    ['rendering', record.id],
    (control) =>
      control.records.prompts.render([record.id, version.value].filter(Boolean).join('@'), valid.current),
    { details: [version.value, valid.current], wait: 150 },
  );
  const { messages = [], missing = [] } = rendering ?? {};
  return (
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
            {...version}
          />
        )
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="xs">
        <Stack gap="sm">
          <Textarea
            label="Variables, as JSON"
            placeholder='{ "name": "Ada", "items": [1, 2] }'
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autosize
            minRows={4}
            maxRows={16}
            error={typeof read === 'string' && fieldError(read)}
            {...variables}
          />
          <Text role="status" className="wrap">
            {missing.length === 0 ? 'No variables are missing.' : isolate(`Missing: ${missing.join(', ')}`)}
          </Text>
        </Stack>
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
  );
};

const MessageView = ({
  message: { role = '', name, content = '', ...others },
}: {
  readonly message: PromptMessage;
}) => (
  <Paper p="xs" component="article" aria-label={isolate(`Message of ${role}`)}>
    <Badge color="blue" mb={4} maw="100%">
      <Foreign text={name === undefined ? role : `${role}: ${name}`} />
    </Badge>
    {typeof content === 'string' ? (
      <Text className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
        <Foreign text={content} />
      </Text>
    ) : (
      <Json value={content} label={isolate(`Content of the message of ${role}`)} />
    )}
    {Object.keys(others).length > 0 && (
      <Json value={others} label={isolate(`More of the message of ${role}`)} />
    )}
  </Paper>
);

/** The variables in a text of JSON, or what is wrong with it. */
const readVariables = (text: string): Mapping | string => {
  try {
    const value = text.trim() === '' ? {} : parseJson(text);
    return isMapping(value) ? value : 'The variables must be a JSON object.';
  } catch (error) {
    return messageOf(error);
  }
};

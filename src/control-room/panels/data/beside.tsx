// What is shown beside the fields of a record.
import { Anchor, Code, Group } from '@mantine/core';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { Run } from '../../../core/operations/list-runs/types.ts';
import { journal } from '../../journal.ts';
import type { AnyRecord } from '../../kinds.ts';
import { Section } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { Foreign, formatTime } from '../../text.tsx';
import type { TryItStart } from '../../try-it-state.ts';
import { RequestStatus } from '../requests/status.tsx';
import { keyOf, targetOf } from '../requests/texts.ts';

/** The functions whose outputs a run waits for. */
export const WaitsFor = ({ record }: { readonly record: AnyRecord }) => {
  const { required_action } = record as unknown as Partial<Run>; // other kinds do not have it
  return (
    required_action && (
      <Section title="What it waits for">
        {required_action.submit_tool_outputs.tool_calls.map(
          ({ id, function: { name, arguments: input } }) => (
            <Code key={id} block className="wrap" mt={8} title={id} style={{ whiteSpace: 'pre-wrap' }}>
              <Foreign text={`${name}(${input})`} />
            </Code>
          ),
        )}
      </Section>
    )
  );
};

/** How many calls are listed. */
const maxCalls = 5;

/** The last calls that may have shown the record. */
export const LastCalls = ({ call: { operation, values } }: { readonly call: TryItStart }) => {
  const isOf = ({ operation: id, params }: RecordedRequest): boolean =>
    id === operation && Object.entries(values).every(([name, value]) => params[name] === value);
  const calls = journal.use(({ requests }) => requests).filter(isOf);
  if (calls.length === 0) return null;
  const all = toHash('requests', [], { q: [`op:${operation}`, ...Object.values(values)].join(' ') });
  return (
    <Section
      title={`Last calls of ${operation}`}
      side={
        <Anchor inherit href={all}>
          All {calls.length}
        </Anchor>
      }
    >
      {calls
        .slice(-maxCalls)
        .reverse()
        .map((request) => (
          <Group key={request.ordinal} gap="xs" wrap="nowrap" mt={8}>
            <RequestStatus request={request} />
            <Anchor inherit flex={1} truncate className="mono" href={toHash('requests', [keyOf(request)])}>
              <Foreign text={targetOf(request).replace(/^.*\//, '')} />
            </Anchor>
            <time>{formatTime(request.receivedAt).slice(11, 19)}</time>
          </Group>
        ))}
    </Section>
  );
};

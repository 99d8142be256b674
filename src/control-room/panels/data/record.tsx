import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconCopyPlus, IconSend, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import { toJsonText } from '../../../core/util/json.ts';
import { Action, Copy } from '../../act.tsx';
import { type AnyRecord, type Kind, type KindName, kinds, linkTo, recordsOf } from '../../kinds.ts';
import { Section, Status } from '../../parts.tsx';
import { go, toHash } from '../../route.ts';
import { Foreign, RecordLink } from '../../text.tsx';
import { openTryIt, type TryItStart } from '../../try-it-state.ts';
import { useQuery } from '../../use-query.ts';
import { describePolicy } from './columns.tsx';
import { RecordList } from './list.tsx';
import { NewLink } from './new.tsx';
import { PromptFacts } from './prompt-facts.tsx';
import { RecordForm } from './record-form.tsx';
import { StatusActions } from './status-actions.tsx';

const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h2')?.focus({ preventScroll: true });

interface RecordViewProps {
  readonly kind: Kind;
  readonly id: string;
  /** Its heading. */
  readonly children: ReactNode;
}

/** One record: its status, what it owns, and its fields. */
export const RecordView = ({ kind, id, children }: RecordViewProps) => {
  const { value } = useQuery([kind.name, id], async (own) => ({
    record: await recordsOf(kind.name, own).get(id),
  }));
  const record = value?.record;
  const isDeleted = value !== undefined && record === undefined;
  const owned = kinds.find(({ owner }) => owner?.kind === kind.name); // such a record has no fields but its id
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="space-between">
        {children}
        {record && <Tools kind={kind} record={record} />}
      </Group>
      {record && <Facts kind={kind} record={record} />}
      {isDeleted && (
        <Text role="alert">
          There is no {kind.singular} with this id now. If it was deleted, go back by the arrow in the header;
          if it comes later, move the clock.
        </Text>
      )}
      {record && kind.states && <StatusActions kind={kind} record={record} />}
      {record && kind.name === 'policies' && (
        <Text className="wrap">
          <Foreign text={describePolicy(record as unknown as Policy)} />.{' '}
          <Anchor inherit underline="always" href={toHash('limits')}>
            Limits
          </Anchor>
        </Text>
      )}
      {record && kind.name === 'prompts' && <PromptFacts id={record.id} />}
      {record && owned && (
        <Section title={owned.title} side={<NewLink kind={owned} owner={id} />}>
          <RecordList kind={owned} owner={id} />
        </Section>
      )}
      {value && !owned && (
        <RecordForm
          kind={kind}
          name={`${kind.name}/${id}`}
          record={record}
          onDiscard={focusHeading} // the record was deleted, and the form is removed
        >
          {record && <Copy text={toJsonText(record, 2)} label="Copy as JSON" />}
        </RecordForm>
      )}
    </Stack>
  );
};

interface RecordProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** Its status and its links: to its owner, to its times, and to the requests that showed it. */
const Facts = ({ kind: { owner, states }, record }: RecordProps) => (
  <Group gap="md" fz="sm">
    {typeof record.status === 'string' && <Status status={record.status} />}
    {owner && (
      <span className="wrap">
        {owner.title} <RecordLink kind={owner.kind} id={String(record[owner.field])} />
      </span>
    )}
    {states && (
      <Anchor inherit href={toHash('clock', [], { q: record.id })}>
        Timeline
      </Anchor>
    )}
    <Anchor inherit href={toHash('requests', [], { q: record.id })}>
      Requests with this id
    </Anchor>
  </Group>
);

/** The operation that shows a record, and the parameters that name it or its owner. */
const callOf = (kind: KindName, { id, ...fields }: AnyRecord): TryItStart => {
  const [operation, values] = {
    threads: ['listRuns', { thread_id: id }],
    runs: ['listRuns', { thread_id: fields.thread_id }],
    batches: ['listBatches', {}],
    jobs: ['listCheckpoints', { fine_tuning_job_id: id }],
    checkpoints: ['listCheckpoints', { fine_tuning_job_id: fields.fine_tuning_job_id }],
    policies: ['getRateLimitsPolicy', { rateLimitsPolicyId: id }],
    prompts: ['renderPrompt', { promptId: id }],
  }[kind] as [string, TryItStart['values']]; // ids are strings
  return { operation, values, from: id };
};

const Tools = ({ kind: { name, singular, owner }, record }: RecordProps) => {
  const { id, ...fields } = record;
  const records = recordsOf(name);
  /** The server gives it an id, but for a prompt. */
  const duplicate = async (): Promise<void> => {
    const copy = name === 'prompts' ? { id: `${id}_copy`, ...fields } : fields;
    go(linkTo(name, (await records.create(copy as AnyRecord)).id));
  };
  const remove = async (): Promise<void> => {
    await records.delete(id);
    go(owner ? linkTo(owner.kind, String(fields[owner.field])) : toHash('data', [name]));
  };
  return (
    <Group gap="xs">
      <Action Icon={IconSend} run={() => openTryIt(callOf(name, record))}>
        Try it
      </Action>
      {Object.keys(fields).length > 0 && (
        <Action Icon={IconCopyPlus} run={duplicate} done={`The ${singular} was duplicated`}>
          Duplicate
        </Action>
      )}
      <Action Icon={IconTrash} run={remove} done={`The ${singular} was deleted`}>
        Delete
      </Action>
    </Group>
  );
};

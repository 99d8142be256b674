import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconCopyPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toJsonText } from '../../../util/json.ts';
import { Action } from '../../action.tsx';
import { Copy } from '../../copy.tsx';
import { type AnyRecord, linkTo, recordsOf } from '../../kinds.ts';
import { go, type Route, toHash } from '../../route.ts';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Training } from './checkpoints.tsx';
import { Status } from './compare.tsx';
import { type Kind, kinds } from './kinds.ts';
import { RecordList } from './list.tsx';
import { NewRecord } from './new.tsx';
import { describePolicyOf } from './policy.ts';
import { PromptForm } from './prompt.tsx';
import { RecordForm } from './record-form.tsx';
import { StatusActions } from './status-actions.tsx';
import { useForm } from './use-form.ts';

const focusHeading = (): void => document.getElementById('data-heading')?.focus({ preventScroll: true });

interface RecordViewProps {
  readonly kind: Kind;
  readonly id: string;
  readonly route: Route;
  readonly heading: ReactNode;
}

/** One record: its status, what it owns, and its fields. */
export const RecordView = ({ kind, id, route, heading }: RecordViewProps) => {
  const { value } = useQuery([kind.name, id], async (own) => ({
    record: await recordsOf(kind.name, own).get(id),
  }));
  const [form, setForm] = useForm(`${kind.name}/${id}`);
  const record = value?.record;
  const isDeleted = value !== undefined && record === undefined;
  const owned = kinds.find(({ owner }) => owner?.kind === kind.name);
  const hasFields = record !== undefined && Object.keys(record).length > 1;
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="space-between">
        {heading}
        {record && <Tools kind={kind} record={record} />}
      </Group>
      {record && <Facts kind={kind} record={record} />}
      {isDeleted && (
        <Text c="dimmed">
          There is no {kind.singular} with this id at the current time of the world.{' '}
          <Anchor inherit underline="always" href={toHash('data', [kind.name])}>
            All {kind.name}
          </Anchor>
        </Text>
      )}
      {isDeleted && form && (
        <Text role="alert" c="red">
          The record was deleted while you edited it, so you cannot save. Copy your input below.
        </Text>
      )}
      {record && kind.states && <StatusActions kind={kind} record={record} />}
      {record && kind.name === 'prompts' && <PromptForm record={record} route={route} />}
      {record && kind.name === 'policies' && <Enforced record={record} />}
      {record && kind.name === 'jobs' && <Training job={id} />}
      {record && owned && (
        <Stack gap="sm" component="section" aria-label={isolate(`${owned.title} of ${id}`)}>
          <Group justify="space-between">
            <Title order={3} size="h4">
              {owned.title}
            </Title>
            <NewRecord kind={owned} route={route} owner={id} />
          </Group>
          <RecordList kind={owned} owner={id} route={route} />
        </Stack>
      )}
      {(hasFields || form) && (
        <RecordForm
          kind={kind}
          route={route}
          record={record}
          form={form}
          setForm={setForm}
          onClose={focusHeading}
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
const Facts = ({ kind: { owner, states }, record }: RecordProps) => {
  const ownerId = owner && record[owner.field];
  return (
    <Group gap="md" fz="sm">
      {typeof record.status === 'string' && <Status status={record.status} />}
      {owner && typeof ownerId === 'string' && (
        <span className="wrap">
          {owner.title} <RecordLink kind={owner.kind} id={ownerId} />
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
};

const Tools = ({ kind: { name, singular, owner }, record }: RecordProps) => {
  const records = recordsOf(name);
  const { value: isChanged } = useQuery(['change', name, record.id], async (own) => {
    const place = name === 'prompts' ? `prompts.${record.id}.` : `.records[${record.id}].`;
    return (await own.state.changes()).some(({ path }) => path.includes(place)); // a record that is new has no field there
  });
  /** The server gives it an id, but for a prompt. */
  const duplicate = async (): Promise<void> => {
    const { id, ...fields } = record;
    const made = await records.create(
      (name === 'prompts' ? { id: `${id}_copy`, ...fields } : fields) as AnyRecord,
    );
    go(linkTo(name, made.id));
  };
  const remove = async (): Promise<void> => {
    await records.delete(record.id);
    go(toHash('data', [name], owner && { [owner.key]: String(record[owner.field]) }));
  };
  return (
    <Group gap="xs">
      {isChanged && (
        <Action
          run={() => records.revert(record.id).then(focusHeading)} // the button goes
          done={`The ${singular} was reverted`}
          undo={1}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
        >
          Revert to the scenario
        </Action>
      )}
      {Object.keys(record).length > 1 && (
        <Action
          run={duplicate}
          done={`The ${singular} was duplicated`}
          undo={1}
          leftSection={<IconCopyPlus size={16} aria-hidden />}
        >
          Duplicate
        </Action>
      )}
      <Action
        run={remove}
        done={`The ${singular} was deleted`}
        undo={1}
        leftSection={<IconTrash size={16} aria-hidden />}
      >
        Delete
      </Action>
    </Group>
  );
};

const Enforced = ({ record }: { readonly record: AnyRecord }) => {
  const { value: isEnforced } = useQuery('enforced', (own) => own.quotas.isEnforced());
  const effect =
    record.status !== 'active'
      ? 'It is archived, so it has no effect.'
      : isEnforced
        ? 'This policy is enforced now.'
        : 'Quotas are off, so this policy has no effect now.';
  return (
    <Paper component="section" aria-label="What this policy limits">
      <Text className="wrap">
        <Foreign text={describePolicyOf(record)} />
      </Text>
      {isEnforced !== undefined && (
        <Text size="sm" c="dimmed">
          {effect}{' '}
          <Anchor inherit underline="always" href={toHash('faults')}>
            Faults and quotas
          </Anchor>
        </Text>
      )}
    </Paper>
  );
};

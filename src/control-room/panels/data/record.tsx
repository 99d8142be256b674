import { Anchor, Button, Menu, Paper, Portal, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconCopy, IconCopyPlus, IconSend, IconTrash } from '@tabler/icons-react';
import { toJsonText } from '../../../core/util/json.ts';
import { type Mapping, ownValue } from '../../../core/util/mapping.ts';
import { Action, Actions, act, copy } from '../../act.tsx';
import { type AnyRecord, type Kind, type KindName, kinds, linkTo, recordsOf } from '../../kinds.ts';
import { Section } from '../../parts.tsx';
import { go, toHash } from '../../route.ts';
import { openTryIt, type TryItStart } from '../../try-it-state.ts';
import { useQuery } from '../../use-query.ts';
import { factsOf } from './facts.tsx';
import { changedNames } from './field-values.ts';
import { Fields, useEdit } from './fields.tsx';
import { LifeCard } from './life-card.tsx';
import { RecordList } from './list.tsx';
import { LossCurves } from './loss-curves.tsx';
import { NewLink } from './new.tsx';
import { PromptFacts } from './prompt-facts.tsx';
import { otherStatusCommands, statusCommands } from './status-commands.ts';

interface RecordViewProps {
  readonly kind: Kind;
  readonly id: string;
}

/** One record as a story: its life, what matters of it, what it owns, and its fields. */
export const RecordView = ({ kind, id }: RecordViewProps) => {
  const { value } = useQuery([kind.name, id], async (own) => ({
    record: await recordsOf(kind.name, own).get(id),
  }));
  const [edit, setEdit] = useEdit(kind, id);
  const record = value?.record;
  const owned = kinds.find(({ owner }) => owner?.kind === kind.name); // such a record has no fields but its id
  if (value === undefined) return null;
  if (record === undefined)
    return (
      <Stack gap="sm" align="flex-start">
        <Text role="alert">
          There is no {kind.singular} with this id now. If it was deleted, go back by the arrow in the header;
          if it comes later, move the clock.
        </Text>
        {edit && (
          <>
            <Text role="alert">The record was deleted while you edited it. Copy what you typed:</Text>
            <Text className="mono" component="pre">
              {edit.text}
            </Text>
            <Action run={() => setEdit(undefined)}>Discard</Action>
          </>
        )}
      </Stack>
    );
  const save = async (changed: Mapping, base: Mapping): Promise<string> => {
    const found: Mapping = { ...(await recordsOf(kind.name).get(id)) };
    const names = Object.keys(changed);
    const removed = names.filter((name) => changed[name] === undefined);
    if (removed.length > 0)
      throw new Error(`Fields cannot be removed: ${removed.join(', ')}. Set them to null instead.`);
    // What somebody else has written in the same fields meanwhile.
    const overwritten = changedNames(base, found)
      .filter((name) => names.includes(name) && changedNames(found, { ...found, ...changed }).includes(name))
      .map((name) => `${name}: ${toJsonText(ownValue(found, name))}`);
    await recordsOf(kind.name).update(id, changed);
    const text = `${id}: ${names.join(', ') || 'nothing'} changed`;
    return overwritten.length === 0
      ? text
      : `${text}. This overwrote what somebody else wrote meanwhile: ${overwritten.join(', ')}`;
  };
  return (
    <Stack gap="sm">
      <Portal target="#panel-tools">
        <Tools kind={kind} record={record} />
      </Portal>
      {kind.states?.includes('completed') && <LifeCard key={id} kind={kind} record={record} />}
      <Paper
        p={0}
        component={SimpleGrid}
        cols={{ base: 2, sm: 3, md: 5 }}
        className="record-facts"
        spacing={0}
      >
        {factsOf(kind, record).map(([name, fact]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <div className="wrap">{fact}</div>
          </div>
        ))}
      </Paper>
      {kind.name === 'jobs' && <LossCurves job={id} />}
      {kind.name === 'prompts' && <PromptFacts id={id} />}
      {owned ? (
        <Section title={owned.title} side={<NewLink kind={owned} owner={id} />}>
          <RecordList kind={owned} owner={id} />
        </Section>
      ) : (
        <Paper p={0}>
          <Fields kind={kind} id={id} record={record} save={save}>
            <Anchor inherit href={toHash('requests', [], { q: id })}>
              Requests with this id
            </Anchor>
          </Fields>
        </Paper>
      )}
    </Stack>
  );
};

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

interface ToolsProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** What can be done with a record. */
const Tools = ({ kind, record }: ToolsProps) => {
  const { name, owner } = kind;
  const { id, ...fields } = record;
  const records = recordsOf(name);
  const others = otherStatusCommands(kind, [id]);
  /** The server gives it an id, but for a prompt. */
  const duplicate = async (): Promise<void> => {
    const copied = name === 'prompts' ? { id: `${id}_copy`, ...fields } : fields;
    go(linkTo(name, (await records.create(copied as AnyRecord)).id));
  };
  const remove = async (): Promise<void> => {
    await records.delete(id);
    go(owner ? linkTo(owner.kind, String(fields[owner.field])) : toHash('data', [name]));
  };
  return (
    <>
      <Actions of={statusCommands(kind, [id])} />
      {others.length > 0 && kind.states?.includes('completed') && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
              Other status
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((command) => (
              <Menu.Item key={command.text} onClick={() => void act(command)}>
                {command.text}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Action Icon={IconSend} run={() => openTryIt(callOf(name, record))}>
        Try it
      </Action>
      <Actions
        of={[
          { name: 'Copy as JSON', Icon: IconCopy, run: () => copy(toJsonText(record, 2)) },
          ...(Object.keys(fields).length > 0
            ? [{ name: `Duplicate ${id}`, Icon: IconCopyPlus, run: duplicate, done: `${id}: duplicated` }]
            : []),
          { name: `Delete ${id}`, Icon: IconTrash, run: remove, done: `${id}: deleted` },
        ]}
      />
    </>
  );
};

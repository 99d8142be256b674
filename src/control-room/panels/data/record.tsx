import { Alert, Flex, Paper, Portal, Stack, Text } from '@mantine/core';
import {
  IconCopy,
  IconCopyPlus,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { toJsonText } from '../../../core/util/json.ts';
import { type Mapping, ownValue } from '../../../core/util/mapping.ts';
import { Action, Actions, copy } from '../../act.tsx';
import type { Command } from '../../commands.ts';
import { type Kind, kinds, linkTo, type RecordProps, recordsOf, statusMethodsOf } from '../../kinds.ts';
import { Life, Scale } from '../../life.tsx';
import { Loading, Section } from '../../parts.tsx';
import { go, toHash } from '../../route.ts';
import { Foreign, formatAway } from '../../text.tsx';
import { openTryIt, type TryItStart } from '../../try-it-state.ts';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { goTo } from '../clock/commands.ts';
import { nextOf } from '../clock/spans.ts';
import { LastCalls, WaitsFor } from './beside.tsx';
import { Facts, factsOf } from './columns.tsx';
import { statusCommands } from './commands.ts';
import { changedNames } from './field-values.ts';
import { Fields } from './fields.tsx';
import { JobStory } from './job-story.tsx';
import { RecordList } from './list.tsx';

/** One record as a story: its life, what matters of it, what it owns, and its fields. */
export const RecordView = ({ kind, id }: { readonly kind: Kind; readonly id: string }) => {
  const { value } = useQuery([kind.name, id], async (own) => ({
    record: await recordsOf(kind.name, own).get(id),
  }));
  if (value === undefined) return <Loading />;
  const { record } = value;
  if (record === undefined)
    return (
      <Text role="alert">
        There is no {kind.singular} with this id now. If it was deleted, undo that with the arrow in the
        header. If it appears later, advance the clock.
      </Text>
    );
  const call = callOf({ kind, record });
  const owned = kinds.filter(({ owner }) => owner?.kind === kind.name); // such a record has no fields but its id
  return (
    <Stack gap="sm">
      <Portal target="#panel-tools">
        <Actions of={toolsOf({ kind, record }, call)} />
      </Portal>
      {kind.isLiving && <LifeCard kind={kind} record={record} />}
      <Facts of={factsOf(kind, record)} />
      {kind.name === 'jobs' && <JobStory job={id} />}
      {kind.name === 'prompts' && <PromptFacts id={id} />}
      {owned.map((of) => (
        <RecordList key={of.name} kind={of} owner={id} />
      ))}
      {owned.length === 0 && (
        <Flex gap="sm" align="flex-start" direction={{ base: 'column', lg: 'row' }}>
          <Paper p={0} flex="1 1 0" miw={0} w="100%">
            <Fields kind={kind} record={record} save={(changed, base) => save(kind, id, changed, base)} />
          </Paper>
          <Stack gap="sm" className="beside" w={{ base: '100%', lg: 340 }}>
            <WaitsFor record={record} />
            <LastCalls call={call} />
          </Stack>
        </Flex>
      )}
    </Stack>
  );
};

/** Saves the fields that were edited. Returns what to say: also what somebody else wrote in them since the edit began. */
const save = async (kind: Kind, id: string, changed: Mapping, base: Mapping): Promise<string> => {
  const records = recordsOf(kind.name);
  const names = Object.keys(changed);
  const removed = names.filter((name) => changed[name] === undefined);
  if (removed.length > 0)
    throw new Error(`Fields cannot be removed: ${removed.join(', ')}. Set them to null instead.`);
  const before: Mapping = { ...(await records.get(id)) };
  const overwritten = changedNames(base, before)
    .filter((name) => changedNames(before, { ...before, ...changed }).includes(name))
    .map((name) => `${name}: ${toJsonText(ownValue(before, name))}`);
  // A status alone is set with all that it implies.
  if (kind.isLiving && names.join() === 'status')
    await statusMethodsOf(kind.name).setStatus(id, String(changed.status));
  else if (names.length > 0) await records.update(id, changed);
  const text = `${id}: ${names.join(', ') || 'nothing'} changed`;
  return overwritten.length === 0
    ? text
    : `${text}. This overwrote what somebody else wrote meanwhile: ${overwritten.join(', ')}`;
};

/** The call that shows a record, and the parameters that name it or its owner. */
const callOf = ({ kind, record: { id, ...fields } }: RecordProps): TryItStart => {
  const [operation, values] = {
    threads: ['listRuns', { thread_id: id }],
    runs: ['listRuns', { thread_id: fields.thread_id }],
    batches: ['listBatches', {}],
    jobs: ['listCheckpoints', { fine_tuning_job_id: id }],
    checkpoints: ['listCheckpoints', { fine_tuning_job_id: fields.fine_tuning_job_id }],
    policies: ['getRateLimitsPolicy', { rateLimitsPolicyId: id }],
    prompts: ['renderPrompt', { promptId: id }],
  }[kind.name] as [string, TryItStart['values']]; // ids are strings
  return { operation, values, from: id };
};

/** What can be done with a record. */
const toolsOf = ({ kind, record }: RecordProps, call: TryItStart): readonly Command[] => {
  const { name, owner } = kind;
  const { id, ...fields } = record;
  const records = recordsOf(name);
  /** The server gives it an id, but for a prompt. */
  const duplicate = async (): Promise<void> => {
    const copied = name === 'prompts' ? { id: `${id}_copy`, ...fields } : fields;
    go(linkTo(name, (await records.create(copied)).id));
  };
  const remove = async (): Promise<void> => {
    await records.delete(id);
    go(owner ? linkTo(owner.kind, String(fields[owner.field])) : toHash('data', [name]));
  };
  const done = `${id}: duplicated`;
  const toDuplicate = { name: `Duplicate ${id}`, Icon: IconCopyPlus, run: duplicate, done };
  return [
    ...statusCommands(kind, [id]),
    { name: 'Try it', text: 'Try it', Icon: IconSend, run: () => openTryIt(call) },
    { name: 'Copy as JSON', Icon: IconCopy, run: () => copy(toJsonText(record, 2)) },
    ...(Object.keys(fields).length > 0 ? [toDuplicate] : []),
    { name: `Delete ${id}`, Icon: IconTrash, run: remove, done: `${id}: deleted` },
  ];
};

/** What a stored prompt takes, and its probable mistakes. */
const PromptFacts = ({ id }: { readonly id: string }) => {
  const { value } = useQuery(['prompt', id], (own) => own.records.prompts.describe(id));
  if (value === undefined) return null;
  const { variables, partials, versions, warnings } = value;
  const facts = Object.entries({ Variables: variables, Partials: partials, Versions: versions });
  return (
    <>
      <Facts
        of={facts.map(([title, names]) => [title, <Foreign key="" text={names.join(', ') || 'none'} />])}
      />
      {warnings.length > 0 && (
        <Alert variant="default" role="alert" title="Probably a mistake" className="wrap">
          {warnings.map((warning) => (
            <div key={warning}>
              <Foreign text={warning} />
            </div>
          ))}
        </Alert>
      )}
    </>
  );
};

/** The states of a run or batch, past and future. */
const LifeCard = ({ kind, record: { id, status } }: RecordProps) => {
  const now = useNow()?.seconds;
  const { value: history } = useQuery(['life', id], async ({ clock }) =>
    (await clock.timeline({ search: id, limit: 100 })).find((history) => history.id === id),
  );
  const [first, last] = [history?.states[0], history?.states.at(-1)];
  if (!history || !first || !last || now === undefined) return null;
  const next = nextOf(history, now);
  // All its states, and the clock unless it is far behind them.
  const length = Math.max(60, last.at - first.at, Math.min(now - first.at, 2 * (last.at - first.at)));
  const span = { from: first.at, to: first.at + 1.15 * length };
  return (
    <Section
      title={`Life of this ${kind.singular}`}
      note={
        next
          ? `The clock changes it ${formatAway(next.at - now)}: ${status} to ${next.status}`
          : 'The clock no longer changes it.'
      }
      side={
        next && (
          <>
            <Action text="Go to the next state" Icon={IconPlayerSkipForward} {...goTo(next.at)} />
            <Action text="Go to its end" Icon={IconPlayerTrackNext} {...goTo(last.at)} />
          </>
        )
      }
    >
      <Scale now={now} span={span} />
      <Life states={history.states} now={now} span={span} />
    </Section>
  );
};

import { Anchor, Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconArrowRight, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { StateChange } from '../../../scenario/compare.ts';
import { toJsonText } from '../../../util/json.ts';
import { Action } from '../../action.tsx';
import { countOf } from '../../format.ts';
import { type KindName, kinds, recordsOf } from '../../kinds.ts';
import { toHash } from '../../route.ts';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { type Change, type ChangedField, groupChanges } from './record-changes.ts';

/** The maximum that the server returns. */
const maxChanges = 500;

/** The differences from the start of the scenario, by record. */
export const Changes = ({ changes }: { readonly changes: readonly StateChange[] }) => {
  const list = useRef<HTMLUListElement>(null);
  return (
    <Paper component="section" aria-label="Changes since the start">
      <Title order={2} size="h4">
        Changes since the start
      </Title>
      <Text size="sm" c="dimmed">
        {changes.length === 0
          ? 'No changes: the session is at the start of its scenario. '
          : changes.length === maxChanges
            ? `The first ${maxChanges} differences. `
            : `${countOf(changes.length, 'difference')}. `}
        What the clock alone has changed is under <Anchor href={toHash('clock')}>Clock</Anchor>.
      </Text>
      {changes.length > 0 && (
        <ul ref={list} className="plain-list lines" tabIndex={-1} aria-label="The differences">
          {groupChanges(changes).map((change) => (
            <li key={`${change.kind}/${change.id}`}>
              <div className="wrap">
                <Heading change={change} />
                {change.how === 'changed' &&
                  change.fields.map((field) => <Field key={field.path} {...field} />)}
              </div>
              {change.kind && (
                <Revert kind={change.kind} change={change} after={() => list.current?.focus()} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Paper>
  );
};

/** Which record has changed. The other parts of a session are named by their fields. */
const Heading = ({ change: { kind, id, how } }: { readonly change: Change }) =>
  kind && (
    <Group gap="xs">
      <span>
        <span className="dimmed">{kinds.find(({ name }) => name === kind)?.singular}</span>{' '}
        {how === 'deleted' ? (
          <span className="mono">
            <Foreign text={id} />
          </span>
        ) : (
          <RecordLink kind={kind} id={id} />
        )}
      </span>
      {how !== 'changed' && <Badge color={how === 'created' ? 'teal' : 'red'}>{how}</Badge>}
    </Group>
  );

const Field = ({ path, field, from, to }: ChangedField) => (
  <div>
    <span className="mono">
      <Foreign text={field || path} />
    </span>{' '}
    <Value value={from} label={`${path} at its start`} />{' '}
    <IconArrowRight size={14} aria-label="is now" className="middle" />{' '}
    <Value value={to} label={`${path} now`} />
  </div>
);

interface RevertProps {
  readonly kind: KindName;
  readonly change: Change;
  /** Its button is about to go. */
  readonly after: () => void;
}

/** Returns a record to its start. One that was created since is deleted. */
const Revert = ({ kind, change: { id, how }, after }: RevertProps) => {
  const isCreated = how === 'created';
  const run = async (): Promise<void> => {
    await (isCreated ? recordsOf(kind).delete(id) : recordsOf(kind).revert(id));
    after();
  };
  const Icon = isCreated ? IconTrash : IconArrowBackUp;
  return (
    <Action
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      run={run}
      done={isCreated ? `${id} was deleted` : `${id} was reverted`}
      undo={1}
      aria-label={isolate(isCreated ? `Delete ${id}` : `Revert ${id}`)}
    >
      {isCreated ? 'Delete' : 'Revert'}
    </Action>
  );
};

/** How many characters of a value are shown at first. */
const shownFirst = 120;

const Value = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const [isWhole, setWhole] = useState(false);
  if (value === undefined) return <span className="dimmed">nothing</span>;
  const text = toJsonText(value, isWhole ? 2 : 0);
  const isLong = isWhole || text.length > shownFirst;
  return (
    <>
      <code className="value">
        <Foreign text={isWhole ? text : text.slice(0, shownFirst)} />
        {isLong && !isWhole && '…'}
      </code>
      {isLong && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isWhole}
          aria-label={isolate(`${isWhole ? 'Show less' : 'Show all'} of ${label}`)}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
};

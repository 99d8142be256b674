import { Anchor, Badge, Group } from '@mantine/core';
import { IconArrowBackUp, IconArrowRight, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import type { StateChange } from '../../../scenario/compare.ts';
import { toJsonText } from '../../../util/json.ts';
import { Action } from '../../action.tsx';
import { countOf } from '../../format.ts';
import { kinds } from '../../kinds.ts';
import { toHash } from '../../route.ts';
import { Line, Lines, Section } from '../../section.tsx';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { type Change, groupChanges, revert } from './record-changes.ts';

/** The maximum that the server returns. */
const maxChanges = 500;

/** The differences from the start of the scenario, by record. */
export const Changes = ({ changes }: { readonly changes: readonly StateChange[] }) => {
  const list = useRef<HTMLUListElement>(null);
  const count =
    changes.length === 0
      ? 'No changes: the session is at the start of its scenario.'
      : changes.length === maxChanges
        ? `The first ${maxChanges} differences.`
        : `${countOf(changes.length, 'difference')}.`;
  return (
    <Section
      title="Changes since the start"
      note={
        <>
          {count} What the clock alone has changed is under{' '}
          <Anchor underline="always" href={toHash('clock')}>
            Clock
          </Anchor>
          .
        </>
      }
    >
      <Lines ref={list} label="The differences">
        {groupChanges(changes).map((change) => (
          <Line
            key={`${change.kind}/${change.id}`}
            actions={<Revert change={change} after={() => list.current?.focus()} />}
          >
            <Heading change={change} />
            {change.how === 'changed' &&
              change.fields.map(({ path, field, from, to }) => (
                <div key={path}>
                  <span className="mono">
                    <Foreign text={field || path} />
                  </span>{' '}
                  <Value value={from} /> <IconArrowRight size={14} aria-label="is now" /> <Value value={to} />
                </div>
              ))}
          </Line>
        ))}
      </Lines>
    </Section>
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

interface RevertProps {
  readonly change: Change;
  /** Its button is about to go. */
  readonly after: () => void;
}

const Revert = ({ change, after }: RevertProps) => {
  const { kind, id, how } = change;
  if (kind === undefined) return null;
  const [verb, done] = how === 'created' ? ['Delete', 'was deleted'] : ['Revert', 'was reverted'];
  const run = async (): Promise<void> => {
    await revert(change);
    after();
  };
  return (
    <Action
      Icon={how === 'created' ? IconTrash : IconArrowBackUp}
      run={run}
      done={`${id} ${done}`}
      undo={1}
      aria-label={isolate(`${verb} ${id}`)}
    >
      {verb}
    </Action>
  );
};

/** How many characters of a value are shown at first. */
const shownFirst = 120;

const Value = ({ value }: { readonly value: unknown }) => {
  if (value === undefined) return <span className="dimmed">nothing</span>;
  const text = toJsonText(value);
  if (text.length <= shownFirst)
    return (
      <code className="wrap">
        <Foreign text={text} />
      </code>
    );
  return (
    <details>
      <summary className="mono">
        <Foreign text={text.slice(0, shownFirst)} />…
      </summary>
      <code className="wrap">
        <Foreign text={text} />
      </code>
    </details>
  );
};

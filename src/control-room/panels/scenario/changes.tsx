import { Badge, Group, Spoiler, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { StateChange } from '../../../core/scenario/compare.ts';
import { toJsonText } from '../../../core/util/json.ts';
import { kinds } from '../../kinds.ts';
import { Lines } from '../../parts.tsx';
import { Foreign, RecordLink } from '../../text.tsx';
import { revertCommands } from './commands.ts';
import { type Change, groupChanges } from './record-changes.ts';

/** The maximum that the server returns. */
const maxChanges = 500;

/** The differences from the start of the scenario, by record. */
export const Changes = ({ changes }: { readonly changes: readonly StateChange[] }) => {
  const isCut = changes.length === maxChanges;
  return (
    <>
      {isCut && <Text c="dimmed">The first {maxChanges} differences.</Text>}
      <Lines label="The differences" first={6} of={groupChanges(changes)} commandsOf={revertCommands}>
        {(change) => (
          <>
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
          </>
        )}
      </Lines>
    </>
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

/** A value in one line; a long one in three, until it is opened. */
const Value = ({ value }: { readonly value: unknown }) => {
  if (value === undefined) return <span className="dimmed">nothing</span>;
  const text = toJsonText(value);
  const code = (
    <code>
      <Foreign text={text} />
    </code>
  );
  if (text.length <= 120) return code;
  return (
    <Spoiler maxHeight={66} showLabel="Show all" hideLabel="Show less">
      {code}
    </Spoiler>
  );
};

import { Text } from '@mantine/core';
import type { StateChange } from '../../../core/scenario/compare.ts';
import { toJsonText } from '../../../core/util/json.ts';
import { Lines } from '../../parts.tsx';
import { Foreign, isolate } from '../../text.tsx';

/** The maximum that the server returns. */
const maxChanges = 500;

/** The differences from the start of the scenario, by their paths. */
export const StateChanges = ({ changes }: { readonly changes: readonly StateChange[] }) => (
  <>
    {changes.length === maxChanges && <Text c="dimmed">The first {maxChanges} differences.</Text>}
    <Lines label="The differences" first={4} of={changes}>
      {(change) => (
        <Text className="mono" lineClamp={1} title={isolate(changeText(change))}>
          <Foreign text={changeText(change)} />
        </Text>
      )}
    </Lines>
  </>
);

export const changeText = ({ path, from, to }: StateChange): string =>
  `${path}: ${toText(from)} → ${toText(to)}`;

const toText = (value: unknown): string => (value === undefined ? 'nothing' : toJsonText(value));

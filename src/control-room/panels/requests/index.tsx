import './requests.css';
import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { journal } from '../../journal.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { Rich } from '../../text.tsx';
import { SessionComparison } from './compare.tsx';
import { Journal } from './journal-view.tsx';
import { Walks } from './walks.tsx';

const views = [
  { value: 'list', label: 'List', View: Journal },
  { value: 'walks', label: 'Walks', View: Walks },
  { value: 'sessions', label: 'Compare sessions', View: SessionComparison },
] as const;

export const Panel = () => {
  const { rest } = useRoute();
  const size = journal.use((state) => state.size);
  if (size === undefined) return <Skeleton />;
  if (size === 0)
    return (
      <Text>
        <Rich text="The journal is off, so no requests are shown. To keep the last 1000, start the server without `--journal 0`; in code, without `journal: 0`." />
      </Text>
    );
  const { value, View } = views.find((one) => one.value === rest[0]) ?? views[0];
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-label="View"
        data={views.map((one) => ({ value: one.value, label: one.label }))}
        value={value}
        onChange={(view) => go(toHash('requests', view === 'list' ? [] : [view]))}
      />
      <View />
    </Stack>
  );
};

import './requests.css';
import { Skeleton, Text } from '@mantine/core';
import { journal } from '../../journal.ts';
import { Rich } from '../../text.tsx';
import { Journal } from './journal-view.tsx';

export const Panel = () => {
  const size = journal.use((state) => state.size);
  if (size === undefined) return <Skeleton m="md" />;
  if (size === 0)
    return (
      <Text p="md">
        <Rich text="The journal is off, so no requests are shown. To keep the last 1000, start the server without `--journal 0`; in code, without `journal: 0`." />
      </Text>
    );
  return <Journal />;
};

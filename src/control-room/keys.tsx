import { Group, Kbd, Table, Text } from '@mantine/core';
import { Rich } from './text.tsx';

const keys = (
  [
    [['Ctrl K'], 'Search for anything, or run a command'],
    [['/', 'Ctrl F'], 'Search the panel'],
    [['T'], 'Try a call'],
    [['Space'], 'Pause the list of requests'],
    [['?'], 'List the keyboard shortcuts'],
    [['Ctrl Z'], 'Undo the last change'],
    [['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'], 'Move in a list'],
    [['Enter'], 'Open the row'],
    [['Esc'], 'Close what is open'],
  ] as const
).map(([names, does]) => [
  <Group key={does} gap={4}>
    {names.map((name) => (
      <Kbd key={name}>{name}</Kbd>
    ))}
  </Group>,
  does,
]);

/** The documentation has no address: it is a part of the package. */
export const Keys = () => (
  <>
    <Table variant="vertical" data={{ body: keys }} />
    <Text mt="sm">
      <Rich text="The docs are in the package: `node_modules/gateway-mock/docs/README.md`, this page in `control-room.md` beside it." />
    </Text>
  </>
);

import { Group, Kbd, Table } from '@mantine/core';

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

export const Keys = () => <Table variant="vertical" data={{ body: keys }} />;

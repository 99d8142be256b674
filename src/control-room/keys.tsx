import { Group, Kbd, Table, Text } from '@mantine/core';
import { Rich } from './text.tsx';

const keys = {
  'Ctrl K': 'Search for anything, or run a command',
  '/, Ctrl F': 'Search the panel',
  T: 'Try a call',
  Space: 'Pause the list of requests',
  '?': 'List the keyboard shortcuts',
  'Ctrl Z': 'Undo the last change',
  '↑, ↓, Page Up, Page Down, Home, End': 'Move in a list',
  Enter: 'Open the row',
  Esc: 'Close what is open',
};

/** The documentation has no address: it is a part of the package. */
export const Keys = () => (
  <>
    <Table variant="vertical">
      <Table.Tbody>
        {Object.entries(keys).map(([names, does]) => (
          <Table.Tr key={does}>
            <Table.Th>
              <Group gap={4}>
                {names.split(', ').map((name) => (
                  <Kbd key={name}>{name}</Kbd>
                ))}
              </Group>
            </Table.Th>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    <Text mt="sm">
      <Rich text="The docs are in the package: `node_modules/gateway-mock/docs/README.md`, this page in `control-room.md` beside it." />
    </Text>
  </>
);

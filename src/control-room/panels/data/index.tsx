import { Text } from '@mantine/core';
import type { Route } from '../../route.ts';

export const DataPanel = ({ route }: { readonly route: Route }) => (
  <Text c="dimmed">Not written yet: {route.panel}</Text>
);

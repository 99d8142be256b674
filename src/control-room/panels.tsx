import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconBolt,
  IconClock,
  IconDatabase,
  IconFileText,
  IconRefresh,
  IconUsers,
} from '@tabler/icons-react';
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { control } from './connection.ts';
import { act } from './notify.tsx';
import type { Route } from './route.ts';

interface PanelProps {
  readonly route: Route;
}

export interface Panel {
  /** The first part of its links. */
  readonly id: string;
  readonly title: string;
  readonly Icon: Icon;
  readonly View: ComponentType<PanelProps>;
}

/** Each is loaded when it is first opened. */
export const panels: readonly [Panel, ...Panel[]] = [
  {
    id: 'requests',
    title: 'Requests',
    Icon: IconActivity,
    View: lazy(async () => ({ default: (await import('./panels/requests/index.tsx')).RequestsPanel })),
  },
  {
    id: 'scenario',
    title: 'Scenario',
    Icon: IconFileText,
    View: lazy(async () => ({ default: (await import('./panels/scenario/index.tsx')).ScenarioPanel })),
  },
  {
    id: 'clock',
    title: 'Clock',
    Icon: IconClock,
    View: lazy(async () => ({ default: (await import('./panels/clock/index.tsx')).ClockPanel })),
  },
  {
    id: 'data',
    title: 'Data',
    Icon: IconDatabase,
    View: lazy(async () => ({ default: (await import('./panels/data/index.tsx')).DataPanel })),
  },
  {
    id: 'faults',
    title: 'Faults',
    Icon: IconBolt,
    View: lazy(async () => ({ default: (await import('./panels/faults/index.tsx')).FaultsPanel })),
  },
  {
    id: 'sessions',
    title: 'Sessions',
    Icon: IconUsers,
    View: lazy(async () => ({ default: (await import('./panels/sessions/index.tsx')).SessionsPanel })),
  },
  {
    id: 'assumptions',
    title: 'Assumptions',
    Icon: IconAdjustments,
    View: lazy(async () => ({ default: (await import('./panels/assumptions/index.tsx')).AssumptionsPanel })),
  },
];

/** A panel, once its code is loaded. */
export const PanelView = ({ panel: { View }, route }: { readonly panel: Panel } & PanelProps) => (
  <Boundary>
    <Suspense fallback={<Loading />}>
      <View route={route} />
    </Suspense>
  </Boundary>
);

const Loading = () => (
  <Stack aria-busy>
    <Skeleton height={40} animate={false} />
    <Skeleton height={160} animate={false} />
  </Stack>
);

/**
 * Many browsers remember that a module failed to load, and the server may have another version of it by now, so the page is loaded
 * again: once the server answers, since else nothing would be left of it.
 */
const tryAgain = (): Promise<boolean> =>
  act(async () => {
    await control.fetch('health');
    location.reload();
  });

class Boundary extends Component<{ readonly children: ReactNode }> {
  override state: { readonly error?: unknown } = {};
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!/import|module|load/i.test(String(error))) throw error;
    return (
      <Alert color="red" role="alert">
        <Stack align="flex-start">
          Failed to load this panel: the server does not answer, or it is another version now. Try again, or
          reload the page.
          <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={tryAgain}>
            Try again
          </Button>
        </Stack>
      </Alert>
    );
  }
}

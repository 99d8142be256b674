import { Alert, Button, Skeleton, Text } from '@mantine/core';
import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconBolt,
  IconClock,
  IconDatabase,
  IconFileText,
  IconGauge,
  IconPlug,
  IconRoute,
  IconUsers,
} from '@tabler/icons-react';
import { Component, type ComponentType, lazy, Suspense, useLayoutEffect, useRef } from 'react';
import { messageOf } from '../core/util/message-of.ts';
import { session } from './connection.ts';
import { PanelHead } from './parts.tsx';
import { useRoute } from './route.ts';
import { capitalize } from './text.tsx';

export interface Panel {
  /** The first part of its links. */
  readonly id: string;
  readonly title: string;
  readonly Icon: Icon;
  /** The colour of its count in the menu: red for failed calls alone, amber for what somebody set. */
  readonly countColor?: string;
  /** What it shows, beside its title. */
  readonly note?: string;
  /** Whether it shows its own title line. */
  readonly hasHead?: boolean;
  readonly View: ComponentType;
}

/** A panel whose code is loaded when it is first opened. */
const define = (
  id: string,
  Icon: Icon,
  load: () => Promise<{ readonly Panel: ComponentType }>,
  options: Pick<Panel, 'countColor' | 'note' | 'hasHead'> = {},
): Panel => ({
  id,
  title: capitalize(id),
  Icon,
  ...options,
  View: lazy(async () => ({ default: (await load()).Panel })),
});

/** As they stand in the menu. */
export const panelGroups: readonly (readonly Panel[])[] = [
  [
    define('connect', IconPlug, () => import('./panels/connect/index.tsx')),
    define('requests', IconActivity, () => import('./panels/requests/index.tsx'), {
      countColor: 'red',
      hasHead: true,
    }),
    define('walks', IconRoute, () => import('./panels/walks/index.tsx'), {
      note: 'how clients fetched whole lists, page by page',
    }),
  ],
  [
    define('scenario', IconFileText, () => import('./panels/scenario/index.tsx')),
    define('clock', IconClock, () => import('./panels/clock/index.tsx')),
    define('data', IconDatabase, () => import('./panels/data/index.tsx'), { hasHead: true }),
  ],
  [
    define('faults', IconBolt, () => import('./panels/faults/index.tsx'), { countColor: 'orange' }),
    define('limits', IconGauge, () => import('./panels/limits/index.tsx'), { countColor: 'orange' }),
    define('assumptions', IconAdjustments, () => import('./panels/assumptions/index.tsx'), {
      countColor: 'orange',
    }),
  ],
  [
    define('sessions', IconUsers, () => import('./panels/sessions/index.tsx'), {
      note: 'each has records, a clock, faults and requests of its own',
    }),
  ],
];

export const panels = panelGroups.flat();

let isFirst = true;

/** The title of a panel, with room for its tools (`#panel-tools`), and the panel, once its code is loaded. */
export const PanelView = ({ panel: { id, title, note, hasHead, View } }: { readonly panel: Panel }) => {
  const isOpen = useRef(false);
  const { rest, query } = useRoute();
  const view = [...rest, query.new].join('/');
  useLayoutEffect(() => {
    document.title = `${title} · ${session} · gateway-mock`;
    // A pressed link of the navigation keeps the focus; a link that was removed has lost it. The browser focuses the first view.
    const focused = document.activeElement;
    const target = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
    if (focused?.closest('nav') ? !isOpen.current : focused === document.body && !isFirst)
      target?.focus({ preventScroll: true });
    isOpen.current = true;
    isFirst = false;
  }, [title, view]);
  return (
    <div className="panel" data-panel={id}>
      {!hasHead && <PanelHead title={title}>{note && <Text c="dimmed">{note}</Text>}</PanelHead>}
      <Boundary View={View} />
    </div>
  );
};

class Boundary extends Component<Pick<Panel, 'View'>> {
  override state: { readonly error?: unknown } = {};
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render() {
    const { error } = this.state;
    const { View } = this.props;
    return error === undefined ? (
      <Suspense fallback={<Skeleton aria-busy />}>
        <View />
      </Suspense>
    ) : (
      <Alert color="red" role="alert" title="Failed to show this panel">
        <p>{messageOf(error)}</p>
        {/* Browsers remember that a module failed to load, so only a reload of the page helps. */}
        <Button onClick={() => location.reload()}>Try again</Button>
      </Alert>
    );
  }
}

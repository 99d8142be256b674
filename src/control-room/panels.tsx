import { Title } from '@mantine/core';
import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconBolt,
  IconClock,
  IconDatabase,
  IconFileText,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, useLayoutEffect, useRef } from 'react';
import { session } from './connection.ts';
import { Panel as Assumptions } from './panels/assumptions/index.tsx';
import { Panel as Clock } from './panels/clock/index.tsx';
import { Panel as Data } from './panels/data/index.tsx';
import { Panel as Faults } from './panels/faults/index.tsx';
import { Panel as Requests } from './panels/requests/index.tsx';
import { Panel as Scenario } from './panels/scenario/index.tsx';
import { Panel as Sessions } from './panels/sessions/index.tsx';
import { useRoute } from './route.ts';

export interface Panel {
  /** The first part of its links. */
  readonly id: string;
  readonly title: string;
  readonly Icon: Icon;
  readonly View: ComponentType;
}

export const panels: readonly [Panel, ...Panel[]] = [
  { id: 'requests', title: 'Requests', Icon: IconActivity, View: Requests },
  { id: 'scenario', title: 'Scenario', Icon: IconFileText, View: Scenario },
  { id: 'clock', title: 'Clock', Icon: IconClock, View: Clock },
  { id: 'data', title: 'Data', Icon: IconDatabase, View: Data },
  { id: 'faults', title: 'Faults', Icon: IconBolt, View: Faults },
  { id: 'sessions', title: 'Sessions', Icon: IconUsers, View: Sessions },
  { id: 'assumptions', title: 'Assumptions', Icon: IconAdjustments, View: Assumptions },
];

let isFirst = true;

/** A panel with its title. */
export const PanelView = ({ panel: { title, View } }: { readonly panel: Panel }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpen = useRef(false);
  const { rest, query } = useRoute();
  const view = [...rest, query.new].join('/');
  useLayoutEffect(() => {
    document.title = `${title} · ${session} · gateway-mock`;
    // The pressed link stays in the navigation, or was removed, and the focus with it. The browser focuses the first view.
    const focused = document.activeElement;
    const target = isOpen.current
      ? document.querySelector<HTMLElement>('main h2[tabindex]')
      : heading.current;
    if (focused?.closest('nav') ? !isOpen.current : focused === document.body && !isFirst)
      target?.focus({ preventScroll: true });
    isOpen.current = true;
    isFirst = false;
  }, [title, view]);
  return (
    <>
      <Title ref={heading} order={1} size="h2" mb="sm" tabIndex={-1}>
        {title}
      </Title>
      <View />
    </>
  );
};

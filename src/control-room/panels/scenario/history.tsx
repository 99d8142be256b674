import { Paper, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { type ComponentProps, useRef } from 'react';
import type { SessionChange } from '../../../control/history.ts';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { countOf, formatTime } from '../../format.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** The last changes of the session, the newest first: each can be undone with all that came after it. */
export const History = () => {
  const { value: history } = useQuery('history', (own) => own.state.history());
  const list = useRef<HTMLOListElement>(null);
  if (history === undefined) return null;
  const { changes, undone, dropped } = history;
  /** The pressed button goes. */
  const thenFocus = (run: () => Promise<unknown>) => async (): Promise<void> => {
    await run();
    list.current?.focus();
  };
  const redo = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await control.state.redo();
  };
  return (
    <Paper component="section" aria-label="History">
      <Title order={2} size="h4">
        History
      </Title>
      <Text size="sm" c="dimmed">
        {changes.length + undone.length === 0
          ? 'No changes yet. The last 20 are listed here, whoever makes them.'
          : `Go back to before any change; until the next change, “Redo” returns.${
              dropped > 0 ? ` ${countOf(dropped, 'older change')} can no longer be undone.` : ''
            }`}
      </Text>
      <ol ref={list} className="plain-list lines" tabIndex={-1} aria-label="Changes, the newest first">
        {undone
          .map((change, at) => (
            <Line
              key={change.id}
              change={change}
              isUndone
              run={thenFocus(() => redo(at + 1))}
              done={`Redone: ${countOf(at + 1, 'change')}`}
              leftSection={<IconArrowForwardUp size={14} aria-hidden />}
              aria-label={isolate(`Redo up to ${nameOf(change)}`)}
            >
              Redo
            </Line>
          ))
          .reverse()}
        {changes
          .map((change, at) => (
            <Line
              key={change.id}
              change={change}
              run={thenFocus(() => control.state.undo({ to: change.id }))}
              done={`Undone: ${countOf(changes.length - at, 'change')}`}
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              aria-label={isolate(`Go back to before ${nameOf(change)}`)}
            >
              Go back
            </Line>
          ))
          .reverse()}
      </ol>
    </Paper>
  );
};

/** Commands of the same name are told apart by their numbers. */
const nameOf = ({ id, what }: SessionChange): string => `${id}: ${what}`;

interface LineProps extends ComponentProps<typeof Action> {
  readonly change: SessionChange;
  readonly isUndone?: boolean;
}

const Line = ({ change: { what, input, at }, isUndone = false, ...action }: LineProps) => (
  <li>
    <div className="wrap">
      <Text size="sm" className="mono" td={isUndone ? 'line-through' : undefined}>
        {what}{' '}
        {input !== '{}' && (
          <span className="dimmed">
            <Foreign text={input} />
          </span>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {isUndone ? 'undone' : `at ${formatTime(at)}`}
      </Text>
    </div>
    <Action size="compact-sm" {...action} />
  </li>
);

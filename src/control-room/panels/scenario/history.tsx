import { Paper, Text, Title } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
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
  const { changes, dropped } = history;
  const goBack = async (to: number): Promise<void> => {
    await control.state.undo({ to });
    list.current?.focus(); // the pressed button goes
  };
  return (
    <Paper component="section" aria-label="History">
      <Title order={2} size="h4">
        History
      </Title>
      <Text size="sm" c="dimmed">
        {changes.length === 0
          ? 'No changes yet. The last 20 are listed here, whoever makes them.'
          : `Go back to before any change, and so before all later ones.${
              dropped > 0 ? ` ${countOf(dropped, 'older change')} can no longer be undone.` : ''
            }`}
      </Text>
      <ol ref={list} className="plain-list lines" tabIndex={-1} aria-label="Changes, the newest first">
        {changes
          .map((change, at) => (
            <Line
              key={change.id}
              change={change}
              run={() => goBack(change.id)}
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

/** The number distinguishes commands of the same name. */
const nameOf = ({ id, what }: SessionChange): string => `${id}: ${what}`;

interface LineProps extends ComponentProps<typeof Action> {
  readonly change: SessionChange;
}

const Line = ({ change: { what, input, at }, ...action }: LineProps) => (
  <li>
    <div className="wrap">
      <Text size="sm" className="mono">
        {what}{' '}
        {input !== '{}' && (
          <span className="dimmed">
            <Foreign text={input} />
          </span>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        at {formatTime(at)}
      </Text>
    </div>
    <Action size="compact-sm" {...action} />
  </li>
);

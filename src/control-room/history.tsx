import { Text } from '@mantine/core';
import { inWords, toGoBack } from './panels/scenario/commands.ts';
import { Lines } from './parts.tsx';
import { countOf, Foreign, formatTime } from './text.tsx';
import { useQuery } from './use-query.ts';

/** The last changes of the session, the newest first: each can be undone with all that came after it. */
export const History = () => {
  const { value: history } = useQuery('history', (own) => own.state.history());
  const { changes, dropped } = history ?? { changes: [], dropped: 0 };
  return (
    <>
      <Text c="dimmed">
        {changes.length === 0
          ? 'No changes yet. The last 20 are listed here, whoever makes them.'
          : 'Go back to before any change, and so before all later ones.'}
        {dropped > 0 && ` ${countOf(dropped, 'older change')} can no longer be undone.`}
      </Text>
      <Lines
        label="Changes, the newest first"
        first={20}
        of={changes.toReversed()}
        commandsOf={(change) => [toGoBack(change)]}
      >
        {(change) => (
          <>
            <Foreign text={inWords(change)} />
            <Text size="xs" c="dimmed">
              at {formatTime(change.at)}
            </Text>
          </>
        )}
      </Lines>
    </>
  );
};

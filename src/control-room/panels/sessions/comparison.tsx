import { Stack } from '@mantine/core';
import { DiffSection } from '../../code.tsx';
import { control, controlSession, session } from '../../connection.ts';
import { Section, Slot } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { useQuery } from '../../use-query.ts';
import { targetOf } from '../requests/texts.ts';
import { changeText } from '../scenario/changes.tsx';

/** How many requests of each session are compared. */
const maxCompared = 1000;

const readSession = async ({ requests, state }: typeof control) => {
  const listed = await requests.list({}, { limit: maxCompared, bodies: false, kept: true });
  const changes = await state.changes();
  return {
    requests: listed
      .map((request) => `${request.method} ${targetOf(request)} → ${request.status ?? 'No reply was sent.'}`)
      .join('\n'),
    changes: changes.map(changeText).join('\n'),
  };
};

/** The requests of another session and of this one, in order, and what has changed in both. */
export const SessionComparison = ({ names }: { readonly names: readonly string[] }) => {
  const other = useRoute().query.with ?? '';
  const { value } = useQuery(['sessions', other], async () => {
    if (other === '') return undefined;
    const there = controlSession(other);
    // A list begins no session, and finds the world that the further calls are bound to.
    if (!(await there.sessions.list()).includes(other)) return undefined;
    const [before, after] = await Promise.all([readSession(there), readSession(control)]);
    return { before, after };
  });
  return (
    <Section
      title="Compare"
      side={
        <div className="sentence">
          from
          <Slot
            aria-label="Compare with"
            value={other}
            choices={[['', 'choose a session'], ...names.filter((name) => name !== session)]}
            choose={(name) => setQuery({ with: name })}
          />
          to {session}
        </div>
      }
    >
      {value && (
        <Stack gap="sm">
          <DiffSection title="Requests" before={value.before.requests} after={value.after.requests} />
          <DiffSection
            title="Changes since the start"
            before={value.before.changes}
            after={value.after.changes}
          />
        </Stack>
      )}
    </Section>
  );
};

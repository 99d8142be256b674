import { NativeSelect, Stack, Title } from '@mantine/core';
import { toJsonText } from '../../../core/util/json.ts';
import { control, controlSession, session } from '../../connection.ts';
import { DiffSection } from '../../diff.tsx';
import { Section } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { targetOf } from '../requests/texts.ts';

/** How many requests of each session are compared. */
const maxCompared = 1000;

const readSession = async ({ requests, state }: typeof control) => {
  const listed = await requests.list({}, { limit: maxCompared, bodies: false, kept: true });
  const changes = await state.changes();
  return {
    requests: listed
      .map((one) => `${one.method} ${targetOf(one)} → ${one.status ?? 'No reply was sent.'}`)
      .join('\n'),
    changes: changes.map(({ path, from, to }) => `${path}: ${toValue(from)} → ${toValue(to)}`).join('\n'),
  };
};

const toValue = (value: unknown): string => (value === undefined ? 'nothing' : toJsonText(value));

/** The requests of this session and of another one, in order, and what has changed in both. */
export const SessionComparison = () => {
  const other = useRoute().query.with ?? '';
  const { value: names = [] } = useQuery('sessions', (own) => own.sessions.list());
  const { value } = useQuery(['sessions', other], async () => {
    if (other === '') return undefined;
    const there = controlSession(other);
    // A list begins no session, and finds the world that the further calls are bound to.
    if (!(await there.sessions.list()).includes(other)) return undefined;
    const [before, after] = await Promise.all([readSession(control), readSession(there)]);
    return { before, after };
  });
  return (
    <Section title="Compare sessions">
      <Stack gap="sm" mt="xs">
        <NativeSelect
          label="Compare this session with"
          description={names.length < 2 && 'There is no other session yet.'}
          maw={320}
          value={other}
          data={[{ value: '', label: 'Choose a session' }, ...names.filter((name) => name !== session)]}
          onChange={(event) => setQuery({ with: event.currentTarget.value })}
        />
        {value && (
          <>
            <Title order={3} className="wrap">
              <Foreign text={session} /> → <Foreign text={other} />
            </Title>
            <DiffSection title="Requests" before={value.before.requests} after={value.after.requests} />
            <DiffSection
              title="Changes since the start"
              before={value.before.changes}
              after={value.after.changes}
            />
          </>
        )}
      </Stack>
    </Section>
  );
};

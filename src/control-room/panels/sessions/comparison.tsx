import { Code, Stack, Text, Title } from '@mantine/core';
import { structuredPatch } from 'diff';
import { mapValues } from '../../../core/util/mapping.ts';
import { scrollable } from '../../code.tsx';
import { control, controlSession, session } from '../../connection.ts';
import { Section, Slot } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { targetOf } from '../requests/texts.ts';
import { changeText } from '../scenario/commands.ts';

/** How many requests of each session are compared. */
const maxCompared = 1000;

/** The most steps of a comparison, so that it ends soon. */
const maxEditLength = 4000;

/** What is compared of a session, as lines. */
const readSession = async ({ requests, state }: typeof control) => {
  const listed = await requests.list({}, { limit: maxCompared, bodies: false, kept: true });
  const changes = await state.changes();
  const lines = {
    Requests: listed.map(
      (request) => `${request.method} ${targetOf(request)} → ${request.status ?? 'No reply was sent.'}`,
    ),
    'Changes since the start': changes.map(changeText),
  };
  return mapValues<readonly string[], string>(lines, (texts) => texts.map((text) => `${text}\n`).join(''));
};

/** The lines in which the requests of two sessions differ, and what has changed in both, with three lines around them. */
export const SessionComparison = ({ names }: { readonly names: readonly string[] }) => {
  const other = useRoute().query.with ?? '';
  const { value } = useQuery(['sessions', other], async () => {
    if (other === '') return undefined;
    const there = controlSession(other);
    // A list begins no session, and finds the world that the further calls are bound to.
    if (!(await there.sessions.list()).includes(other)) return undefined;
    const [before, after] = await Promise.all([readSession(there), readSession(control)]);
    return Object.entries(before).map(([title, text]) => {
      const options = { context: 3, maxEditLength };
      return { title, hunks: structuredPatch('', '', text, after[title] ?? '', '', '', options)?.hunks };
    });
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
      <Stack gap="sm">
        {value?.map(({ title, hunks }) => (
          <div key={title}>
            <Title order={3} mb={4}>
              {title}
            </Title>
            {hunks?.length === 0 ? (
              <Text c="dimmed">No difference.</Text>
            ) : (
              <Code block className="diff" {...scrollable(title)}>
                {hunks?.map(({ oldStart, lines }) => <div key={oldStart}>{lines.map(toLine)}</div>) ??
                  'They differ in too many lines.'}
              </Code>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
};

const toLine = (line: string, at: number) => {
  const Tag = line.startsWith('-') ? 'del' : line.startsWith('+') ? 'ins' : 'div';
  return (
    <Tag key={at}>
      <Foreign text={line} />
    </Tag>
  );
};

import { Stack, Text, Title } from '@mantine/core';
import { Json } from '../../json.tsx';
import { kinds } from '../../kinds.ts';
import { Foreign, formatCount } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** The names of the user's own kinds of records. */
export const useOwnKinds = (): readonly string[] =>
  useQuery('own kinds', async (control) => {
    const { records } = await (await control.fetch('health')).json();
    return (records as string[]).filter((name) => !kinds.some((kind) => kind.name === name)); // see the route
  }).value ?? [];

/** How many records of a kind are shown. */
const shown = 100;

/** The newest records of the user's own kinds (`defineRecords`). */
export const OwnRecords = () => {
  const names = useOwnKinds();
  const { value = [] } = useQuery(['own', names], (control) =>
    Promise.all(
      names.map(async (name) => {
        const records = control.records.own[name];
        return { name, count: await records?.count(), listed: await records?.list({ limit: shown }) };
      }),
    ),
  );
  return value.map(({ name, count = 0, listed = [] }) => (
    <Stack key={name} gap="xs" mb="md">
      <Title order={2} fz="md">
        <Foreign text={name} /> <span className="dimmed">{formatCount(count)}</span>
      </Title>
      {count > shown && <Text c="dimmed">The newest {shown}.</Text>}
      {listed.length > 0 && <Json value={listed} label={name} />}
    </Stack>
  ));
};

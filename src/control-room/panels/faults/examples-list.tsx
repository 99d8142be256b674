import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Rich } from '../../text.tsx';
import { examples } from './examples.ts';

/** The help on kinds and conditions: each line can be taken into the editor. */
export const ExamplesList = ({ take }: { readonly take: (line: string) => void }) => (
  <Paper component="section" aria-labelledby="examples">
    <Title id="examples" order={2} size="h4">
      Examples
    </Title>
    <Text size="sm" c="dimmed" mt={4} mb="md" maw={820}>
      <Rich text='Select an example to edit and add it. If several faults match a call, the first one is used, with all delays listed above it. Put a value with spaces in quotes: `message="Try again"`. Delays use real time, not the clock of the session.' />
    </Text>
    <div className="fault-examples">
      {examples.map(({ title, lines }) => (
        <section key={title} aria-label={title}>
          <Title order={3} size="h6" mb={4}>
            {title}
          </Title>
          <Stack component="ul" gap={4} className="plain-list">
            {lines.map(([line, does]) => (
              <li key={line}>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  ta="left"
                  className="mono"
                  onClick={() => take(line)}
                >
                  {line}
                </Anchor>{' '}
                <Text span size="sm" c="dimmed">
                  {does}
                </Text>
              </li>
            ))}
          </Stack>
        </section>
      ))}
    </div>
  </Paper>
);

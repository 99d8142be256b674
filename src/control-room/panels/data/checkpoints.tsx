import { Button, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import type { Checkpoint } from '../../../operations/list-checkpoints/types.ts';
import { countOf } from '../../format.ts';
import { useQuery } from '../../use-query.ts';
import { LineChart } from './chart.tsx';

/** How many of the newest checkpoints are plotted, until more are requested. */
const step = 1000;

const charts: readonly { title: string; unit: string; metrics: readonly (keyof Checkpoint['metrics'])[] }[] =
  [
    { title: 'Loss', unit: 'no unit', metrics: ['train_loss', 'valid_loss', 'full_valid_loss'] },
    {
      title: 'Mean token accuracy',
      unit: 'share of tokens, 0 to 1',
      metrics: ['train_mean_token_accuracy', 'valid_mean_token_accuracy', 'full_valid_mean_token_accuracy'],
    },
  ];

/** The training of a job: the metrics of its checkpoints as charts. */
export const Training = ({ job }: { readonly job: string }) => {
  const [limit, setLimit] = useState(step);
  const { value } = useQuery(
    ['training', job],
    // One more than shown, to know whether there are more.
    (control) => control.records.checkpoints.list({ fine_tuning_job_id: job, limit: limit + 1 }),
    { details: limit },
  );
  if (value === undefined || value.length === 0) return null;
  const checkpoints = value.slice(0, limit).sort((a, b) => a.step_number - b.step_number);
  return (
    <Paper component="section" aria-label="Metrics">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {charts.map(({ metrics, ...chart }) => {
          const lines = metrics.map((name) => ({
            name,
            points: checkpoints.flatMap(({ step_number: x, metrics: { [name]: y } }) =>
              y === undefined ? [] : [{ x, y }],
            ),
          }));
          const series = lines.filter(({ points }) => points.length > 0);
          return series.length > 0 && <LineChart key={chart.title} {...chart} series={series} />;
        })}
      </SimpleGrid>
      {value.length > limit && (
        <Group gap="xs" mt="xs">
          <Text size="sm">The newest {countOf(limit, 'checkpoint')}</Text>
          <Button size="xs" variant="default" onClick={() => setLimit(limit + step)}>
            Plot {step} more
          </Button>
        </Group>
      )}
    </Paper>
  );
};

import { Paper, SimpleGrid, Text } from '@mantine/core';
import { countOf } from '../../format.ts';
import { useQuery } from '../../use-query.ts';
import { LineChart } from './chart.tsx';

/** How many of the newest checkpoints are plotted. */
const most = 1000;

const charts = [
  { title: 'Loss', unit: 'no unit', metrics: ['train_loss', 'valid_loss', 'full_valid_loss'] },
  {
    title: 'Mean token accuracy',
    unit: 'share of tokens, 0 to 1',
    metrics: ['train_mean_token_accuracy', 'valid_mean_token_accuracy', 'full_valid_mean_token_accuracy'],
  },
] as const;

/** The training of a job: the metrics of its checkpoints as charts. */
export const Training = ({ job }: { readonly job: string }) => {
  const { value: all = [] } = useQuery(['training', job], (control) =>
    control.records.checkpoints.list({ fine_tuning_job_id: job, limit: most + 1 }),
  );
  if (all.length === 0) return null;
  const checkpoints = all.slice(0, most).sort((a, b) => a.step_number - b.step_number);
  return (
    <Paper component="section" aria-label="Metrics">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {charts.map(({ metrics, ...chart }) => {
          const lines = metrics.map((name) => ({
            name,
            points: checkpoints.flatMap(({ step_number: x, metrics: { [name]: y } }) =>
              y === undefined ? [] : { x, y },
            ),
          }));
          const series = lines.filter(({ points }) => points.length > 0);
          return series.length > 0 && <LineChart key={chart.title} {...chart} series={series} />;
        })}
      </SimpleGrid>
      {all.length > most && <Text size="sm">The newest {countOf(most, 'checkpoint')} are plotted.</Text>}
    </Paper>
  );
};

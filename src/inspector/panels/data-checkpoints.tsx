import { useState } from 'preact/hooks';
import type { Checkpoint } from '../../operations/list-checkpoints/types.ts';
import { Card, Empty, formatTime, RecordLink } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { toHash } from '../route.ts';
import { type Column, Table } from '../table.tsx';
import { texts } from '../texts.ts';
import { LineChart, type Series } from './data-chart.tsx';
import { checkpointsKind } from './data-kinds.ts';
import { NewRecord } from './data-new.tsx';

const t = texts.training;

/** How many of the newest checkpoints are plotted, until more are requested. */
const step = 1000;
const maxRows = 50;

const charts = [
  { title: t.loss, unit: t.noUnit, pattern: /loss/ },
  { title: t.accuracy, unit: t.share, pattern: /accuracy/ },
] as const;

type Metric = keyof Checkpoint['metrics'];

/** The training of a job: the metrics of its checkpoints as charts and a table. */
export const Training = ({ job }: { readonly job: string }) => {
  const [limit, setLimit] = useState(step);
  const { value } = useQuery(
    ['training', job],
    // One more than shown, to know whether there are more.
    (control) => control.records.checkpoints.list({ fine_tuning_job_id: job, limit: limit + 1 }),
    limit,
  );
  if (value === undefined) return null;
  const checkpoints = value.slice(0, limit).sort((a, b) => a.step_number - b.step_number);
  const metrics = [...new Set(checkpoints.flatMap((one) => Object.keys(one.metrics)))].filter(
    (name): name is Metric => name !== 'step', // the horizontal axis
  );
  return (
    <Card
      title={t.metrics}
      aside={
        <>
          <a href={toHash('data', ['checkpoints'], { job })}>{texts.data.checkpoints}</a>
          <NewRecord kind={checkpointsKind} owner={job} />
        </>
      }
    >
      {checkpoints.length === 0 ? (
        <Empty>{t.none}</Empty>
      ) : (
        <div class="stack">
          <div class="columns">
            {charts.map(({ title, unit, pattern }) => {
              const series = metrics
                .filter((name) => pattern.test(name))
                .map((name) => toSeries(name, checkpoints));
              return series.length === 0 ? null : (
                <LineChart key={title} title={title} unit={unit} series={series} />
              );
            })}
          </div>
          {value.length > limit && (
            <div class="row">
              <small>{t.newest(limit)}</small>
              <button type="button" onClick={() => setLimit(limit + step)}>
                {t.plotMore(step)}
              </button>
            </div>
          )}
          <Values checkpoints={checkpoints.toReversed()} metrics={metrics} />
        </div>
      )}
    </Card>
  );
};

const toSeries = (name: Metric, checkpoints: readonly Checkpoint[]): Series => ({
  name,
  points: checkpoints.flatMap(({ step_number: x, metrics }) => {
    const y = metrics[name];
    return y === undefined ? [] : [{ x, y }];
  }),
});

/** The values of the charts as a table. */
const Values = ({
  checkpoints,
  metrics,
}: {
  readonly checkpoints: readonly Checkpoint[];
  readonly metrics: readonly Metric[];
}) => {
  const [isWhole, setWhole] = useState(false);
  const columns: readonly Column<Checkpoint>[] = [
    { title: t.step, isNumber: true, show: (one) => one.step_number },
    ...metrics.map((name) => ({
      title: name,
      isNumber: true,
      show: (one: Checkpoint) => one.metrics[name] ?? <span class="muted">{t.absent}</span>,
    })),
    { title: texts.data.created, show: (one) => formatTime(one.created_at) },
    {
      title: t.checkpoint,
      class: 'data-id',
      show: ({ id }) => <RecordLink kind="checkpoints" id={id} />,
    },
  ];
  return (
    <>
      <div class="scroll data-table data-values" tabIndex={0} role="region" aria-label={t.table}>
        <Table
          caption={t.caption}
          columns={columns}
          rows={isWhole ? checkpoints : checkpoints.slice(0, maxRows)}
          keyOf={({ id }) => id}
        />
      </div>
      {checkpoints.length > maxRows && (
        <div class="row">
          <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t.lastOnly(maxRows) : t.allRows(checkpoints.length)}
          </button>
        </div>
      )}
    </>
  );
};

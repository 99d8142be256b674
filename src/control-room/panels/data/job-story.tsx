import { Anchor, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Checkpoint } from '../../../core/operations/list-checkpoints/types.ts';
import { limits } from '../../../core/util/limits.ts';
import { linkTo } from '../../kinds.ts';
import { Section } from '../../parts.tsx';
import { formatCount, formatTime, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Facts } from './columns.tsx';

/** How many checkpoints are drawn: the newest. The facts are about all of them. */
const maxDrawn = 200;

const curves = [
  { name: 'training', metric: 'train_loss', color: 'var(--accent-fill)', dash: undefined },
  { name: 'validation', metric: 'valid_loss', color: 'var(--warn-fill)', dash: '6 4' },
] as const;

const height = 220;

/** What matters of a job, by its checkpoints, and their losses over the steps. */
export const JobStory = ({ job }: { readonly job: string }) => {
  const { value: checkpoints = [] } = useQuery(['checkpoints', job], ({ records }) =>
    records.checkpoints.list({ fine_tuning_job_id: job, limit: limits.listed }),
  );
  const [newest, oldest] = [checkpoints[0], checkpoints.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  const [lowest] = pointsOf(checkpoints, 'valid_loss').sort((a, b) => a.loss - b.loss);
  return (
    <>
      <Facts
        of={[
          ['Checkpoints', formatCount(checkpoints.length)],
          ['Lowest validation loss', lowest ? `${lowest.loss} at step ${lowest.step}` : 'none'],
          ['Model', isolate(newest.fine_tuned_model_checkpoint)],
          ['First checkpoint (UTC)', formatTime(oldest.created_at)],
          ['Last checkpoint (UTC)', formatTime(newest.created_at)],
        ]}
      />
      <LossCurves of={checkpoints.slice(0, maxDrawn)} />
    </>
  );
};

const pointsOf = (checkpoints: readonly Checkpoint[], metric: (typeof curves)[number]['metric']) =>
  checkpoints.flatMap(({ id, step_number: step, metrics }) => {
    const loss = metrics[metric];
    return typeof loss === 'number' ? [{ id, step, loss }] : [];
  });

const LossCurves = ({ of: checkpoints }: { readonly of: readonly Checkpoint[] }) => {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const drawn = curves.map((curve) => ({ ...curve, points: pointsOf(checkpoints, curve.metric) }));
  const points = drawn.flatMap((curve) => curve.points);
  if (points.length < 3) return null;
  const steps = points.map(({ step }) => step);
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const top = Math.max(...points.map(({ loss }) => loss)) * 1.05;
  const x = (step: number): number => 40 + ((step - first) / (last - first || 1)) * (width - 60);
  const y = (loss: number): number => 10 + (1 - loss / top) * (height - 40);
  return (
    <Section
      title="Loss over steps"
      side={drawn.map(({ name, color, dash }) => (
        <Text key={name} size="xs" c="dimmed">
          <svg width="20" height="8" aria-hidden="true">
            <path d="M0 4h20" stroke={color} strokeWidth="2" strokeDasharray={dash} />
          </svg>{' '}
          {name}
        </Text>
      ))}
    >
      <div ref={ref}>
        <svg
          width={width}
          height={height}
          className="number"
          fill="var(--mantine-color-dimmed)"
          fontSize={11}
          role="group"
          aria-label="Loss over steps"
        >
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <g key={part}>
              <path d={`M40 ${y(top * part)}H${width - 20}`} stroke="var(--line-within)" />
              <text x="34" y={y(top * part) + 4} textAnchor="end">
                {(top * part).toFixed(2)}
              </text>
            </g>
          ))}
          {[first, last].map((step) => (
            <text key={step} x={x(step)} y={height - 8} textAnchor="middle">
              {step}
            </text>
          ))}
          {drawn.map(({ name, color, dash, points: own }) => (
            <g key={name} stroke={color} strokeWidth="2" fill="var(--mantine-color-body)">
              <polyline
                points={own.map(({ step, loss }) => `${x(step)},${y(loss)}`).join(' ')}
                strokeDasharray={dash}
                fill="none"
              />
              {own.map(({ id, step, loss }) => (
                <Anchor
                  key={id}
                  href={linkTo('checkpoints', id)}
                  aria-label={isolate(`Step ${step}: ${name} loss ${loss}`)}
                >
                  <circle cx={x(step)} cy={y(loss)} r="4">
                    <title>{`Step ${step}: ${name} loss ${loss}`}</title>
                  </circle>
                </Anchor>
              ))}
            </g>
          ))}
        </svg>
      </div>
    </Section>
  );
};

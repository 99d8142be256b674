import { Anchor, Text } from '@mantine/core';
import type { Checkpoint } from '../../../core/operations/list-checkpoints/types.ts';
import { linkTo } from '../../kinds.ts';
import { Section } from '../../parts.tsx';
import { isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** How many checkpoints are drawn: the newest. */
const maxDrawn = 200;

const curves = [
  { name: 'training', metric: 'train_loss', color: 'var(--accent-fill)', dash: undefined },
  { name: 'validation', metric: 'valid_loss', color: 'var(--warn-fill)', dash: '6 4' },
] as const;

const [width, height] = [960, 220];

/** The losses of a job's checkpoints over their steps. */
export const LossCurves = ({ job }: { readonly job: string }) => {
  const { value: all = [] } = useQuery(['losses', job], ({ records }) =>
    records.checkpoints.list({ fine_tuning_job_id: job, limit: maxDrawn }),
  );
  const checkpoints = all.toReversed();
  if (checkpoints.length < 2) return null;
  const lossesOf = (metric: 'train_loss' | 'valid_loss') =>
    checkpoints.flatMap(({ id, step_number, metrics }: Checkpoint) => {
      const loss = metrics[metric];
      return typeof loss === 'number' ? [{ id, step: step_number, loss }] : [];
    });
  const drawn = curves.map((curve) => ({ ...curve, points: lossesOf(curve.metric) }));
  const points = drawn.flatMap((curve) => curve.points);
  const [first, last] = [points, points].map((list, at) =>
    Math[at === 0 ? 'min' : 'max'](...list.map(({ step }) => step)),
  );
  const top = Math.max(...points.map(({ loss }) => loss)) * 1.05;
  const x = (step: number): number =>
    40 + ((step - (first ?? 0)) / ((last ?? 1) - (first ?? 0) || 1)) * (width - 60);
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
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="curves number"
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
        {[first ?? 0, last ?? 0].map((step) => (
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
    </Section>
  );
};

import { useState } from 'preact/hooks';
import type { StateChange } from '../../scenario/compare.ts';
import { toJsonText } from '../../util/json.ts';
import { useAsk } from '../ask.ts';
import { control } from '../live.ts';
import { Card, Empty, Failure } from '../parts.tsx';
import { toHash } from '../route.ts';
import { type Column, Table } from '../table.tsx';

/** The maximum that the server returns. */
const maxChanges = 500;

/** The differences from the start of the scenario. */
export const Changes = () => {
  const { value: changes, error } = useAsk(() => control.state.changes());
  return (
    <Card title="Changes since the start">
      <p class="muted">
        Changes by the clock alone, such as a run that has completed, are not listed: see{' '}
        <a href={toHash('clock')}>Clock</a>.
      </p>
      <Failure message={error} />
      {changes?.length === 0 && <Empty>No changes: the session is at the start of its scenario.</Empty>}
      {changes && changes.length > 0 && (
        <>
          <p class="muted">
            {changes.length === maxChanges
              ? `The first ${maxChanges} changes.`
              : changes.length === 1
                ? '1 difference.'
                : `${changes.length} differences.`}
          </p>
          {/* It scrolls, so that the keyboard must reach it. */}
          <div class="scroll changes" role="region" tabIndex={0} aria-label="The differences">
            <Table columns={columns} rows={changes} keyOf={({ path }) => path} />
          </div>
        </>
      )}
    </Card>
  );
};

const columns: readonly Column<StateChange>[] = [
  { title: 'Where', class: 'mono', show: ({ path }) => path },
  {
    title: 'At its start',
    show: ({ path, from }) => <Value value={from} label={`${path} at its start`} />,
  },
  { title: 'Now', show: ({ path, to }) => <Value value={to} label={`${path} now`} /> },
];

const maxLength = 120;

const Value = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const [isWhole, setWhole] = useState(false);
  if (value === undefined) return <span class="muted">nothing</span>;
  const text = toJsonText(value, isWhole ? 2 : 0);
  const isLong = isWhole || text.length > maxLength;
  return (
    <>
      <code>{isWhole ? text : isLong ? `${text.slice(0, maxLength)}…` : text}</code>
      {isLong && (
        <button
          type="button"
          class="plain"
          aria-expanded={isWhole}
          aria-label={`Show all of ${label}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
};

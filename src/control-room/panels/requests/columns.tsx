import { Badge } from '@mantine/core';
import { IconBolt, IconClock } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { formatTime } from '../../format.ts';
import type { GridColumn } from '../../grid.tsx';
import { Foreign, isolate } from '../../text.tsx';
import { isUnmatched } from './filter.ts';
import { formatDuration, type Row, targetOf } from './rows.ts';

/** The status of the reply, or that there was none. */
export const Status = ({ request: { id, status } }: { readonly request: RecordedRequest }) => {
  if (status === null && id === '') return <Badge color="gray">passed on</Badge>;
  if (status === null) return <Badge color="red">reset</Badge>;
  const color = status >= 500 ? 'red' : status >= 400 ? 'orange' : 'teal';
  return <Badge color={color}>{status}</Badge>;
};

/** What is unusual about a request. */
const Marks = ({ row: { request, isLater } }: { readonly row: Row }) => {
  const { upstream, faults, time } = request;
  return (
    <span className="request-marks">
      {isLater && (
        <Badge
          color="gray"
          title="The world's time has moved"
          leftSection={<IconClock size={12} aria-hidden />}
        >
          {formatTime(time).slice(0, 19)}
        </Badge>
      )}
      {upstream !== null && (
        <Badge color="gray" title={isolate(upstream)}>
          passed on
        </Badge>
      )}
      {isUnmatched(request) && request.id !== '' && <Badge color="orange">unmatched</Badge>}
      {faults.length > 0 && (
        <Badge
          color="red"
          title={isolate(faults.join('\n'))}
          leftSection={<IconBolt size={12} aria-hidden />}
        >
          {faults.length === 1 ? 'fault' : `${faults.length} faults`}
        </Badge>
      )}
    </span>
  );
};

export const columns: readonly GridColumn<Row>[] = [
  {
    name: 'number',
    title: 'No.',
    width: '44px',
    sortKey: 'number',
    isWide: true,
    isNumber: true,
    show: ({ request }) => request.ordinal,
  },
  {
    name: 'status',
    title: 'Status',
    width: '76px',
    sortKey: 'status',
    show: ({ request }) => <Status request={request} />,
  },
  {
    name: 'target',
    title: 'Request',
    width: 'minmax(0, 1fr)',
    sortKey: 'target',
    show: (row) => (
      <span className="request-cell">
        <span className="request-target" title={isolate(`${row.request.method} ${targetOf(row.request)}`)}>
          <Foreign text={row.request.method} /> <Foreign text={targetOf(row.request)} />
        </span>
        <Marks row={row} />
      </span>
    ),
  },
  {
    name: 'duration',
    title: 'Duration',
    width: '80px',
    sortKey: 'duration',
    isNumber: true,
    show: ({ request: { id, duration } }) => (id === '' ? '' : formatDuration(duration)),
  },
  {
    name: 'when',
    title: 'Time',
    width: '68px',
    isWide: true,
    isNumber: true,
    show: ({ request: { receivedAt } }) => (
      <span title={new Date(receivedAt).toLocaleString()}>
        {new Date(receivedAt).toLocaleTimeString('en-GB')}
      </span>
    ),
  },
];

import { Badge } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { memo } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { GridColumn } from '../../grid.tsx';
import { Foreign, isolate } from '../../text.tsx';
import { isUnmatched } from './filter.ts';
import { formatDuration, targetOf } from './texts.ts';

interface CellProps {
  readonly request: RecordedRequest;
}

/** The status of the reply, or that there was none. Remembered, like the marks: the list is rendered often, and badges take long. */
export const Status = memo(({ request: { status } }: CellProps) => {
  const colorOf = (code: number): string => (code >= 500 ? 'red' : code >= 400 ? 'orange' : 'teal');
  const [text, color] = status === null ? ['reset', 'red'] : [status, colorOf(status)];
  return (
    <Badge color={color} flex="none">
      {text}
    </Badge>
  );
});

/** The call, and what is unusual about it. */
const Call = memo(({ request }: CellProps) => {
  const { method, upstream, faults } = request;
  const call = `${method} ${targetOf(request)}`;
  return (
    <span className="request-cell">
      <span className="request-target" title={isolate(call)}>
        <Foreign text={call} />
      </span>
      {upstream !== null && (
        <Badge color="gray" title={isolate(upstream)}>
          forwarded
        </Badge>
      )}
      {isUnmatched(request) && <Badge color="orange">unmatched</Badge>}
      {faults.length > 0 && (
        <Badge color="red" title={isolate(faults.join('\n'))} leftSection={<IconBolt size={12} />}>
          {faults.length === 1 ? 'fault' : `${faults.length} faults`}
        </Badge>
      )}
    </span>
  );
});

const Arrival = ({ request: { receivedAt } }: CellProps) => (
  <span title={new Date(receivedAt).toLocaleString()}>
    {new Date(receivedAt).toLocaleTimeString('en-GB')}
  </span>
);

/** The first and the last are left out in a narrow window. */
export const columns: readonly GridColumn<RecordedRequest>[] = [
  { title: 'No.', width: '44px', isNumber: true, show: ({ ordinal }) => ordinal },
  { title: 'Status', width: '76px', show: (request) => <Status request={request} /> },
  { title: 'Request', width: 'minmax(0, 1fr)', show: (request) => <Call request={request} /> },
  { title: 'Duration', width: '80px', isNumber: true, show: formatDuration },
  { title: 'Time', width: '68px', isNumber: true, show: (request) => <Arrival request={request} /> },
];

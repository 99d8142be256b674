import { Box } from '@mantine/core';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { GridColumn } from '../../grid.tsx';
import { Foreign, isolate } from '../../text.tsx';
import type { Attempts } from './attempts.ts';
import { RequestStatus, whyOf } from './status.tsx';
import { clientOf, formatDuration, targetOf } from './texts.ts';
import { type Links, showWaterfall, type TimeScale, WaterfallHead } from './waterfall.tsx';

/** How many columns fit: `phone` has two lines a row. */
type Room = 'phone' | 'small' | 'details' | 'wide';

/** @param scale undefined without room for the bars */
export const toColumns = (room: Room, scale: TimeScale | undefined, links: Links, attempts: Attempts) => {
  const isWide = room === 'wide';
  const showWhy = (request: RecordedRequest) => {
    const why = whyOf(request, attempts.get(request.ordinal)?.count);
    return (
      why && (
        <small
          style={{ fontSize: 12, color: `var(--${why.tone})` }}
          title={isolate([why.text, ...request.faults].join('\n'))}
        >
          <Foreign text={why.text} />
        </small>
      )
    );
  };
  const columns: readonly (GridColumn<RecordedRequest> | false | undefined)[] = [
    room !== 'phone' && {
      title: 'No.',
      width: isWide ? '36px' : '32px',
      isNumber: true,
      show: ({ ordinal }) => <span className="dimmed">{ordinal}</span>,
    },
    {
      title: 'Status',
      width: room === 'details' || room === 'phone' ? '50px' : '56px',
      show: (request) => <RequestStatus request={request} />,
    },
    {
      title: 'Request',
      width: 'minmax(0, 1fr)',
      show: (request) => (
        <>
          {showTarget(request, isWide ? 18 : 13)}
          {room === 'phone' && showWhy(request)}
        </>
      ),
    },
    isWide && {
      title: 'Client',
      width: '108px',
      show: (request) => (
        <small style={{ fontSize: 12 }} title={isolate(request.headers['user-agent'] ?? '')}>
          <Foreign text={clientOf(request)} />
        </small>
      ),
    },
    room !== 'phone' && { title: 'Why', width: '104px', show: showWhy },
    scale && {
      title: 'Waterfall',
      head: <WaterfallHead {...scale} />,
      width: isWide ? '172px' : '132px',
      show: (request) => showWaterfall(request, scale, links.get(request.ordinal) ?? []),
    },
    room !== 'details' && { title: 'Took', width: '60px', isNumber: true, show: formatDuration },
    isWide && {
      title: 'Time',
      width: '62px',
      isNumber: true,
      show: ({ receivedAt }) => (
        <span className="dimmed">{new Date(receivedAt).toLocaleTimeString('en-GB')}</span>
      ),
    },
  ];
  return columns.filter((column) => column !== false && column !== undefined);
};

/** The call. @param longest the length from which ids are shortened */
const showTarget = (request: RecordedRequest, longest: number) => {
  const call = `${request.method} ${targetOf(request)}`;
  const [, start = '', path = ''] = /^(\S+ (?:\/v1)?)(.*)$/s.exec(call) ?? [];
  return (
    <Box component="span" className="request-target cut mono" display="block" fz={13} title={isolate(call)}>
      <span className="dimmed">{start}</span>
      <Foreign text={shortenIds(path, longest)} />
    </Box>
  );
};

/** Ids in a path with their middle left out, so that the end of the path stays in view. */
const shortenIds = (path: string, longest: number): string =>
  path.replace(/[\w-]+/g, (id) => {
    if (id.length <= longest || !/[\d_]/.test(id)) return id;
    const [prefix = ''] = /^[a-z]+_/.exec(id) ?? [];
    return `${longest < 14 ? '' : prefix || id.slice(0, 4)}…${id.slice(-4)}`;
  });

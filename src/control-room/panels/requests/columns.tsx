import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { GridColumn } from '../../grid.tsx';
import { Foreign, isolate } from '../../text.tsx';
import type { Attempts } from './attempts.ts';
import { RequestStatus, whyOf } from './status.tsx';
import { clientOf, formatDuration, targetOf } from './texts.ts';
import { type Links, type TimeScale, Waterfall, WaterfallHead } from './waterfall.tsx';

/** How many columns fit: `phone` has two lines a row. */
type Room = 'phone' | 'small' | 'details' | 'wide';

interface ColumnsOptions {
  readonly room: Room;
  /** Undefined without room for the bars. */
  readonly scale: TimeScale | undefined;
  readonly links: Links;
  readonly attempts: Attempts;
}

export const toColumns = ({ room, scale, links, attempts }: ColumnsOptions) => {
  const isWide = room === 'wide';
  const showWhy = (request: RecordedRequest) => {
    const why = whyOf(request, attempts.get(request.ordinal)?.count);
    return (
      why && (
        <small
          style={{ color: `var(--${why.tone})` }}
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
          <Target request={request} longest={isWide ? 18 : 13} />
          {room === 'phone' && showWhy(request)}
        </>
      ),
    },
    isWide && {
      title: 'Client',
      width: '108px',
      show: (request) => (
        <small title={isolate(request.headers['user-agent'] ?? '')}>
          <Foreign text={clientOf(request)} />
        </small>
      ),
    },
    room !== 'phone' && { title: 'Why', width: '104px', show: showWhy },
    scale && {
      title: 'Waterfall',
      head: <WaterfallHead {...scale} />,
      width: isWide ? '172px' : '132px',
      show: (request) => (
        <Waterfall request={request} scale={scale} links={links.get(request.ordinal) ?? []} />
      ),
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

/** Ids in a path with their middle left out, so that the end of the path stays in view. */
const shortenIds = (path: string, longest: number): string =>
  path.replace(/[\w-]+/g, (id) => {
    if (id.length <= longest || !/[\d_]/.test(id)) return id;
    const [prefix = ''] = /^[a-z]+_/.exec(id) ?? [];
    return `${longest < 14 ? '' : prefix || id.slice(0, 4)}…${id.slice(-4)}`;
  });

interface TargetProps {
  readonly request: RecordedRequest;
  /** The length from which ids are shortened. */
  readonly longest: number;
}

/** The call. */
const Target = ({ request, longest }: TargetProps) => {
  const call = `${request.method} ${targetOf(request)}`;
  const [, start = '', path = ''] = /^(\S+ (?:\/v1)?)(.*)$/s.exec(call) ?? [];
  return (
    <span className="request-target cut mono" title={isolate(call)}>
      <span className="dimmed">{start}</span>
      <Foreign text={shortenIds(path, longest)} />
    </span>
  );
};

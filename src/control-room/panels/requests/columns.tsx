import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { GridColumn } from '../../grid.tsx';
import { Foreign, isolate } from '../../text.tsx';
import type { findAttempts } from './attempts.ts';
import { Status } from './status.tsx';
import { clientOf, formatDuration, targetOf } from './texts.ts';
import { type Links, type Scale, Waterfall, WaterfallHead } from './waterfall.tsx';
import { whyOf } from './why.ts';

/** How many columns fit: `phone` has two lines a row. */
export type Room = 'phone' | 'small' | 'details' | 'wide';

interface ColumnsOptions {
  readonly room: Room;
  /** Undefined without room for the bars. */
  readonly scale: Scale | undefined;
  readonly links: Links;
  readonly attempts: ReturnType<typeof findAttempts>;
}

type Column = GridColumn<RecordedRequest>;

export const toColumns = ({ room, scale, links, attempts }: ColumnsOptions): readonly Column[] => {
  const isWide = room === 'wide';
  const showWhy = (request: RecordedRequest) => {
    const why = whyOf(request, attempts.get(request.ordinal)?.count);
    return (
      why && (
        <span
          className="request-why"
          style={{ color: `var(--${why.tone})` }}
          title={isolate(request.faults.join('\n'))}
        >
          <Foreign text={why.text} />
        </span>
      )
    );
  };
  const number: Column = {
    title: 'No.',
    width: isWide ? '36px' : '32px',
    isNumber: true,
    show: ({ ordinal }) => <span className="dimmed">{ordinal}</span>,
  };
  const call: Column = {
    title: 'Request',
    width: 'minmax(0, 1fr)',
    show: (request) => (
      <span className="request-cell">
        <Target request={request} isNarrow={!isWide} />
        {room === 'phone' && showWhy(request)}
      </span>
    ),
  };
  const client: Column = {
    title: 'Client',
    width: '108px',
    show: (request) => (
      <span className="request-why" title={isolate(request.headers['user-agent'] ?? '')}>
        <Foreign text={clientOf(request)} />
      </span>
    ),
  };
  const bars: readonly Column[] = scale
    ? [
        {
          title: 'Waterfall',
          head: <WaterfallHead {...scale} />,
          width: isWide ? '172px' : '132px',
          show: (request) => (
            <Waterfall request={request} scale={scale} links={links.get(request.ordinal) ?? []} />
          ),
        },
      ]
    : [];
  const time: Column = {
    title: 'Time',
    width: '62px',
    isNumber: true,
    show: (request) => <Arrival request={request} />,
  };
  return [
    ...(room === 'phone' ? [] : [number]),
    {
      title: 'Status',
      width: room === 'details' || room === 'phone' ? '50px' : '56px',
      show: (request) => <Status request={request} />,
    },
    call,
    ...(isWide ? [client] : []),
    ...(room === 'phone' ? [] : [{ title: 'Why', width: '104px', show: showWhy }]),
    ...bars,
    ...(room === 'details' ? [] : [{ title: 'Took', width: '60px', isNumber: true, show: formatDuration }]),
    ...(isWide ? [time] : []),
  ];
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
  readonly isNarrow: boolean;
}

/** The call. */
const Target = ({ request, isNarrow }: TargetProps) => {
  const { method } = request;
  const target = targetOf(request);
  const [, version = '', path = ''] = /^(\/v1)?(.*)$/s.exec(target) ?? [];
  return (
    <span className="request-target mono" title={isolate(`${method} ${target}`)}>
      <span className="dimmed">
        {method} {version}
      </span>
      <Foreign text={shortenIds(path, isNarrow ? 13 : 18)} />
    </span>
  );
};

const Arrival = ({ request: { receivedAt } }: { readonly request: RecordedRequest }) => (
  <span className="dimmed" title={new Date(receivedAt).toLocaleString()}>
    {new Date(receivedAt).toLocaleTimeString('en-GB')}
  </span>
);

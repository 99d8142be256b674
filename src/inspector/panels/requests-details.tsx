import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RecordedRequest } from '../../journal/entry.ts';
import { ControlError } from '../../protocol/errors.ts';
import { useAsk } from '../ask.ts';
import { baseUrl, control, useLive } from '../live.ts';
import { Badge, Copy, Empty, Failure, formatTime, Json } from '../parts.tsx';
import { toHash } from '../route.ts';
import { Outcome } from './requests-outcome.tsx';
import { formatDuration, targetOf } from './requests-rows.ts';
import { toCurl, toFaultLine, variablesIn } from './requests-texts.ts';

interface DetailsProps {
  readonly id: string;
  /** The row of the list, which is all that exists of a request that was left to others. */
  readonly row: RecordedRequest | undefined;
  readonly close: () => void;
  /** Called when it is on the page. */
  readonly arrive: () => void;
}

/** Everything the journal has about one request. */
export const RequestDetails = ({ id, row, close, arrive }: DetailsProps) => {
  const connection = useLive('connection');
  const { value, error } = useWhole(id, row);
  const request = value?.request ?? row;
  const isThere = connection === 'open' && (request ?? value) !== undefined;
  useLayoutEffect(() => {
    if (isThere) arrive();
  }, [id, isThere]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
  return (
    <section id="request-details" class="card" aria-label="Request" tabIndex={-1} onKeyDown={onKeyDown}>
      <header>
        <h2 class="mono">{row?.id === '' ? 'Passed on' : id}</h2>
        <button type="button" class="plain aside" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <Failure message={error} />
      {request !== undefined ? (
        <Whole request={request} hasBodies={value?.request !== undefined} />
      ) : (
        <Empty>
          {value === undefined
            ? '…'
            : 'This request is not in the journal. The journal keeps only the last requests, and a reset empties it.'}
        </Empty>
      )}
    </section>
  );
};

/** Requests the entry with its bodies until the call has ended. After that, it does not change. */
const useWhole = (id: string, row: RecordedRequest | undefined) => {
  const era = useLive('era');
  const ended = useRef<{ readonly era: number; readonly request: RecordedRequest }>(undefined);
  return useAsk(async () => {
    if (row?.id === '') return { request: undefined };
    if (ended.current?.era === era) return ended.current;
    const request = await control.requests.get(id).catch((error: unknown) => {
      if (error instanceof ControlError) return undefined; // the journal may have dropped it
      throw error;
    });
    if (request !== undefined && request.duration !== null) ended.current = { era, request };
    return { request };
  }, [id, era]);
};

const Whole = ({
  request,
  hasBodies,
}: {
  readonly request: RecordedRequest;
  readonly hasBodies: boolean;
}) => {
  const line = toFaultLine(request);
  return (
    <div class="stack">
      <p class="mono target">
        <b>{request.method}</b> {targetOf(request)}
      </p>
      <p class="row">
        <Outcome request={request} />
        <span>{request.operation ?? 'no operation'}</span>
        <span class="muted">{request.id !== '' && formatDuration(request.duration)}</span>
        <span class="muted">{formatTime(request.time)}</span>
      </p>
      <div class="row">
        {hasBodies && <Copy text={toCurl(request, baseUrl)}>Copy as curl</Copy>}
        {line !== undefined && (
          <a class="button" href={toHash('faults', [], { line })}>
            Create a fault from this
          </a>
        )}
      </div>
      {hasBodies && <CurlNote variables={variablesIn(request)} />}
      <Reasons request={request} />
      <h3>Call</h3>
      <Pairs title="Path parameters" pairs={request.params} />
      <Pairs title="Query" pairs={request.query} />
      <Pairs title="Headers of the call" pairs={request.headers} />
      <Body
        title="Body of the call"
        body={request.body}
        isKnown={hasBodies}
        isDropped={request.bodiesDropped && Number(request.headers['content-length'] ?? 0) > 0}
      />
      <h3>Reply</h3>
      {request.reply === null ? (
        <Empty>{request.id === '' ? 'It was not answered by the mock.' : 'No reply was sent.'}</Empty>
      ) : (
        <>
          <Pairs title="Headers of the reply" pairs={request.reply.headers} />
          <Body
            title="Body of the reply"
            body={request.reply.body}
            isKnown={hasBodies}
            isDropped={request.bodiesDropped && request.method !== 'HEAD'}
          />
        </>
      )}
    </div>
  );
};

const CurlNote = ({ variables }: { readonly variables: readonly string[] }) =>
  variables.length === 0 ? null : (
    <small>
      The journal masks credentials: the command takes them from{' '}
      {variables.map((name, index) => (
        <>
          {index > 0 && ', '}
          <code>${name}</code>
        </>
      ))}
      .
    </small>
  );

const Reasons = ({ request }: { readonly request: RecordedRequest }) => {
  const { id, operation, nearest, faults, idleFaults, assumptions } = request;
  const isPlain = operation !== null && id !== '' && [faults, idleFaults, assumptions].flat().length === 0;
  return (
    <>
      <h3>Why it got this reply</h3>
      <ul class="reasons">
        {id === '' && <li>It matches no operation of the mock, so it was passed on.</li>}
        {operation === null && id !== '' && (
          <li>
            <Badge tone="warn">unmatched</Badge> {nearest ?? 'No operation has this method and path.'}
          </li>
        )}
        {faults.map((fault) => (
          <li key={fault}>
            <Badge tone="bad">fault</Badge> <code>{fault}</code> <a href={toHash('faults')}>Faults</a>
          </li>
        ))}
        {idleFaults.map(({ fault, reason }) => (
          <li key={fault}>
            <Badge tone="info">fault without effect</Badge> <code>{fault}</code>: {reason}.{' '}
            <a href={toHash('faults')}>Faults</a>
          </li>
        ))}
        {assumptions.length > 0 && <Assumptions ids={assumptions} />}
        {isPlain && (
          <li>It follows from the contract and the records. No faults or assumptions were involved.</li>
        )}
      </ul>
    </>
  );
};

/** The assumptions that the reply depends on. */
const Assumptions = ({ ids }: { readonly ids: readonly string[] }) => {
  const { value: known } = useAsk(() => control.assumptions.list());
  return (
    <>
      {ids.map((id) => {
        const found = known?.find((one) => one.id === id);
        const meaning = found?.choices.find(([value]) => value === found.value)?.[1];
        return (
          <li key={id}>
            <Badge tone="info">assumed</Badge>{' '}
            <a class="mono" href={toHash('assumptions', [id])}>
              {id}
            </a>
            {found && (
              <div>
                {found.description} Here: {meaning ?? found.value}.{' '}
                <span class="muted">The contract is silent in: {found.section}.</span>
              </div>
            )}
          </li>
        );
      })}
    </>
  );
};

const Pairs = ({
  title,
  pairs,
}: {
  readonly title: string;
  readonly pairs: Readonly<Record<string, string | readonly string[]>>;
}) => {
  const entries = Object.entries(pairs).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  if (entries.length === 0) return null;
  return (
    <Part title={title}>
      <dl class="mono">
        {entries.map(([name, value], index) => (
          <div key={`${index} ${name}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
};

const Body = ({
  title,
  body,
  isKnown,
  isDropped,
}: {
  readonly title: string;
  readonly body: string | null;
  readonly isKnown: boolean;
  readonly isDropped: boolean;
}) => {
  if (!isKnown || (body === null && !isDropped)) return null;
  return (
    <Part title={title}>
      {body === null ? (
        <Empty>The journal has dropped the body to save memory.</Empty>
      ) : body === '' ? (
        <Empty>Empty.</Empty>
      ) : (
        <Json value={body} label={title} />
      )}
    </Part>
  );
};

const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div>
    <h4>{title}</h4>
    {children}
  </div>
);

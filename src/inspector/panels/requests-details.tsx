import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RecordedRequest } from '../../journal/recorded-request.ts';
import type { OperationId } from '../../operations/ids.ts';
import { ControlError } from '../../protocol/errors.ts';
import { tryParse } from '../../util/try-parse.ts';
import { Select } from '../fields.tsx';
import { connection, era } from '../live.ts';
import { Name } from '../name.tsx';
import { Action, Badge, Copy, Empty, formatTime, Json, Rich } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { go, toHash } from '../route.ts';
import { baseUrl, control } from '../session.ts';
import { texts } from '../texts.ts';
import { Comparison, linkTo } from './requests-compare.tsx';
import { Outcome } from './requests-outcome.tsx';
import { Resend } from './requests-resend.tsx';
import { formatDuration, targetOf } from './requests-rows.ts';
import { hasParams, toCurl, toFaultLine, variablesIn } from './requests-texts.ts';

const t = texts.request;

interface DetailsProps {
  readonly id: string;
  /** The id of a request to compare it with. */
  readonly other: string | undefined;
  /** The requests that it can be compared with. */
  readonly others: readonly RecordedRequest[];
  /** The row of the list, which is all that exists of a request that was left to others. */
  readonly row: RecordedRequest | undefined;
  readonly close: () => void;
  /** Called when it is on the page. */
  readonly arrive: () => void;
}

/** Everything the journal has about one request. */
export const RequestDetails = ({ id, other, others, row, close, arrive }: DetailsProps) => {
  const { value } = useWhole(id, row);
  const request = value?.request ?? row;
  const isThere = connection.value === 'open' && (request ?? value) !== undefined;
  useLayoutEffect(() => {
    if (isThere) arrive();
  }, [id, isThere]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
  return (
    <section id="request-details" class="card" aria-label={t.title} tabIndex={-1} onKeyDown={onKeyDown}>
      <header>
        <h2 class="mono">
          <Name text={row?.id === '' ? t.passedOn : id} />
        </h2>
        <button type="button" class="plain aside" aria-label={texts.common.close} onClick={close}>
          ×
        </button>
      </header>
      {other !== undefined && value?.request !== undefined ? (
        <Comparison key={other} request={value.request} other={other} />
      ) : request !== undefined ? (
        <Whole request={request} others={others} hasBodies={value?.request !== undefined} />
      ) : (
        <Empty>{value === undefined ? texts.common.loading : t.missing}</Empty>
      )}
    </section>
  );
};

/** Requests the entry with its bodies until the call has ended. After that, it does not change. */
const useWhole = (id: string, row: RecordedRequest | undefined) => {
  const now = era.value;
  const ended = useRef<{ readonly era: number; readonly request: RecordedRequest }>(undefined);
  return useQuery(['request', id, now], async (control) => {
    if (row?.id === '') return { request: undefined };
    if (ended.current?.era === now) return ended.current;
    const request = await control.requests.get(id).catch((error: unknown) => {
      if (error instanceof ControlError) return undefined; // the journal may have dropped it
      throw error;
    });
    if (request !== undefined && request.duration !== null) ended.current = { era: now, request };
    return { request };
  });
};

const Whole = ({
  request,
  others,
  hasBodies,
}: {
  readonly request: RecordedRequest;
  readonly others: readonly RecordedRequest[];
  readonly hasBodies: boolean;
}) => {
  const { value: keys } = useQuery('keys', (control) => control.scenario.keys());
  const makeFault = async (): Promise<void> => {
    const { operation, path, ordinal } = request;
    const same = await control.requests.list(
      { operation: operation as OperationId, ...(hasParams(request) && { path }) },
      { bodies: false, kept: true },
    );
    const number = same.filter((one) => one.ordinal <= ordinal).length;
    go(toHash('faults', [], { line: toFaultLine(request, number) }));
  };
  return (
    <div class="stack">
      <p class="mono target">
        <b>
          <Name text={request.method} />
        </b>{' '}
        <Name text={targetOf(request)} />
      </p>
      <p class="row">
        <Outcome request={request} />
        <span>{request.operation ?? t.noOperation}</span>
        <span class="muted">{request.id !== '' && formatDuration(request.duration)}</span>
        <span class="muted">{formatTime(request.time)}</span>
      </p>
      <Reasons request={request} />
      <div class="row">
        {hasBodies && keys && <Copy text={toCurl(request, baseUrl, keys)}>{t.copyCurl}</Copy>}
        {hasBodies && request.operation !== null && <Action run={makeFault}>{t.toFault}</Action>}
        {request.operation?.startsWith('list') && (
          <a class="button" href={toHash('requests', ['walks'], { page: request.id })}>
            {t.walk}
          </a>
        )}
        {hasBodies && keys && <Resend key={request.id} request={request} keys={keys} />}
      </div>
      {hasBodies && others.length > 1 && (
        <Select
          label={t.compareWith}
          value=""
          options={[['', '–'], ...others.filter(({ id }) => id !== '' && id !== request.id).map(toOption)]}
          set={(other) => go(linkTo(request.id, other))}
        />
      )}
      {hasBodies && keys && <CurlNote variables={variablesIn(request, keys)} />}
      <h3>{t.call}</h3>
      <Pairs title={t.pathParameters} pairs={request.params} />
      <Pairs title={t.query} pairs={request.query} />
      <Pairs title={t.callHeaders} pairs={request.headers} />
      <Body title={t.callBody} body={request.body} isKnown={hasBodies} />
      <h3>{t.reply}</h3>
      {request.reply === null ? (
        <Empty>{request.id === '' ? t.notAnswered : t.noReply}</Empty>
      ) : (
        <>
          <Pairs title={t.replyHeaders} pairs={request.reply.headers} />
          <Body title={t.replyBody} body={request.reply.body} isKnown={hasBodies} />
        </>
      )}
    </div>
  );
};

const toOption = (request: RecordedRequest): readonly [string, string] => [
  request.id,
  `${request.ordinal}: ${request.method} ${targetOf(request).slice(0, 60)} ${request.status ?? texts.requests.reset}`,
];

const CurlNote = ({ variables }: { readonly variables: readonly string[] }) =>
  variables.length === 0 ? null : (
    <small>
      <Rich text={t.masked(variables)} />
    </small>
  );

/** Why it got this reply: the reason first, then what else matters. */
const Reasons = ({ request }: { readonly request: RecordedRequest }) => {
  const { id, operation, nearest, upstream, faults, idleFaults, assumptions, refusal } = request;
  const isPlain = operation !== null && id !== '' && refusal === null && faults.length === 0;
  return (
    <ul class="reasons" aria-label={t.why}>
      {id === '' && <li>{t.left}</li>}
      {upstream !== null && (
        <li>
          <Badge>{texts.requests.passedOn}</Badge> {t.upstream} <code>{upstream}</code>
        </li>
      )}
      {operation === null && id !== '' && upstream === null && (
        <li>
          <Badge tone="warn">{texts.requests.unmatched}</Badge> <Name text={nearest ?? t.noPath} />
        </li>
      )}
      {faults.map((fault) => (
        <li key={fault}>
          <Badge tone="bad">{t.fault}</Badge>{' '}
          <code>
            <Name text={fault} />
          </code>{' '}
          <a href={toHash('faults')}>{t.faults}</a>
        </li>
      ))}
      {refusal && operation !== null && <Refused request={request} refusal={refusal} />}
      {isPlain && <li>{assumptions.length === 0 ? t.plain : t.usual}</li>}
      {idleFaults.map(({ fault, reason }) => (
        <li key={fault}>
          <Badge tone="info">{t.idleFault}</Badge>{' '}
          <code>
            <Name text={fault} />
          </code>
          : <Name text={reason} />. <a href={toHash('faults')}>{t.faults}</a>
        </li>
      ))}
      {assumptions.length > 0 && (
        <li>
          <details>
            <summary>{t.assumptions(assumptions.length)}</summary>
            <ul class="reasons">
              <Assumptions ids={assumptions} />
            </ul>
          </details>
        </li>
      )}
    </ul>
  );
};

/** One sentence on who refused it, with links. */
const Refused = ({
  request: { reply, time },
  refusal: { assumption, quota },
}: {
  readonly request: RecordedRequest;
  readonly refusal: NonNullable<RecordedRequest['refusal']>;
}) => {
  if (quota === null)
    return (
      <li>
        <Badge tone="warn">{t.refused}</Badge> <Name text={messageIn(reply?.body ?? null)} /> {t.by}{' '}
        <a class="mono" href={toHash('assumptions', [assumption])}>
          {assumption}
        </a>
      </li>
    );
  const { policy, name, type, used, limit, cost, resets_at } = quota;
  const [date, hour] = formatTime(resets_at).split(' ');
  const isToday = formatTime(time).startsWith(`${date} `);
  return (
    <li>
      {t.refusedByPolicy}{' '}
      <a href={toHash('data', ['policies', policy])}>
        <Name text={name ?? policy} />
      </a>
      {t.quota(used, limit, type, cost, isToday && hour ? hour : formatTime(resets_at))}{' '}
      <a href={toHash('faults')}>{texts.quotas.title}</a>
    </li>
  );
};

/** The message in the body of an error. */
const messageIn = (body: string | null): string => {
  const { message } = Object(tryParse(body ?? ''));
  return typeof message === 'string' ? message : '';
};

/** The assumptions that the reply depends on. */
const Assumptions = ({ ids }: { readonly ids: readonly string[] }) => {
  const { value: known } = useQuery('assumptions', (control) => control.assumptions.list());
  return (
    <>
      {ids.map((id) => {
        const found = known?.find((one) => one.id === id);
        const meaning = found?.choices.find(([value]) => value === found.value)?.[1];
        return (
          <li key={id}>
            <Badge tone="info">{t.assumed}</Badge>{' '}
            <a class="mono" href={toHash('assumptions', [id])}>
              {id}
            </a>
            {found && (
              <div>
                {t.here(found.description, meaning ?? found.value)}{' '}
                <span class="muted">{t.silent(found.section)}</span>
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
            <dt>
              <Name text={name} />
            </dt>
            <dd>
              <Name text={value} />
            </dd>
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
}: {
  readonly title: string;
  readonly body: string | null;
  readonly isKnown: boolean;
}) => {
  if (!isKnown || body === null) return null;
  return (
    <Part title={title}>{body === '' ? <Empty>{t.empty}</Empty> : <Json value={body} label={title} />}</Part>
  );
};

const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div>
    <h4>{title}</h4>
    {children}
  </div>
);

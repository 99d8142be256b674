import { Anchor, Badge, NativeSelect, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { tryParse } from '../../../util/try-parse.ts';
import { control } from '../../connection.ts';
import { countOf, formatTime } from '../../format.ts';
import { act } from '../../notify.tsx';
import { toHash } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { isUnmatched } from './filter.ts';

/** Why it got this reply: the reason first, then what else matters. */
export const Reasons = ({ request }: { readonly request: RecordedRequest }) => {
  const { id, operation, nearest, upstream, faults, idleFaults, assumptions, refusal } = request;
  const isPlain = operation !== null && id !== '' && refusal === null && faults.length === 0;
  return (
    <ul className="plain-list request-reasons" aria-label="Why it got this reply">
      {id === '' && <li>No operation of the mock matches, so it was left to other handlers.</li>}
      {upstream !== null && (
        <Reason mark="passed on" color="gray">
          No operation has this method and path, so it was passed on to{' '}
          <span className="mono">
            <Foreign text={upstream} />
          </span>
        </Reason>
      )}
      {isUnmatched(request) && id !== '' && (
        <Reason mark="unmatched" color="orange">
          <Foreign text={nearest ?? 'No operation has this method and path.'} />
        </Reason>
      )}
      {faults.map((fault) => (
        <Reason key={fault} mark="fault" color="red">
          <FaultLine line={fault} />
        </Reason>
      ))}
      {refusal && operation !== null && <Refused request={request} refusal={refusal} />}
      {isPlain && (
        <li>
          {assumptions.length === 0
            ? 'It follows from the contract and the records, without faults or assumptions.'
            : 'Answered as usual.'}
        </li>
      )}
      {idleFaults.map(({ fault, reason }) => (
        <Reason key={fault} mark="fault without effect" color="blue">
          <FaultLine line={fault} />: <Foreign text={reason} />.
        </Reason>
      ))}
      {assumptions.length > 0 && (
        <li>
          <details>
            <summary>It depends on {countOf(assumptions.length, 'assumption')}</summary>
            <ul className="plain-list request-reasons">
              {assumptions.map((one) => (
                <li key={one}>
                  <Assumption id={one} />
                </li>
              ))}
            </ul>
          </details>
        </li>
      )}
    </ul>
  );
};

interface ReasonProps {
  readonly mark: string;
  readonly color: string;
  readonly children: ReactNode;
}

const Reason = ({ mark, color, children }: ReasonProps) => (
  <li>
    <Badge color={color}>{mark}</Badge> {children}
  </li>
);

/** A link to the faults, with one of their lines. */
const FaultLine = ({ line }: { readonly line: string }) => (
  <Anchor inherit underline="always" className="mono" href={toHash('faults')}>
    <Foreign text={line} />
  </Anchor>
);

interface RefusedProps {
  readonly request: RecordedRequest;
  readonly refusal: NonNullable<RecordedRequest['refusal']>;
}

/** One sentence on who refused it, with links. */
const Refused = ({ request: { reply, time }, refusal: { assumption, quota } }: RefusedProps) => {
  if (quota === null)
    return (
      <Reason mark="refused" color="orange">
        <Foreign text={messageIn(reply?.body ?? null)} /> By the assumption <Assumption id={assumption} />
      </Reason>
    );
  const { policy, name, type, used, limit, cost, resets_at } = quota;
  const [date, hour] = formatTime(resets_at).split(' ');
  const isToday = formatTime(time).startsWith(`${date} `);
  return (
    <li>
      Refused by the policy{' '}
      <Anchor inherit underline="always" href={toHash('data', ['policies', policy])}>
        <Foreign text={name ?? policy} />
      </Anchor>
      : {used} of {limit} {type} used{cost === 1 ? '' : `, this call takes ${cost}`}, resets at{' '}
      {isToday && hour ? hour : formatTime(resets_at)}.{' '}
      <Anchor inherit underline="always" href={toHash('faults')}>
        Quotas
      </Anchor>
    </li>
  );
};

/** The message in the body of an error. */
const messageIn = (body: string | null): string => {
  const { message } = Object(tryParse(body ?? ''));
  return typeof message === 'string' ? message : '';
};

/** An assumption that the reply depends on, with its switch. */
const Assumption = ({ id }: { readonly id: string }) => {
  const { value: known } = useQuery('assumptions', (own) => own.assumptions.list());
  const found = known?.find((one) => one.id === id);
  return (
    <>
      <Anchor inherit underline="always" className="mono" href={toHash('assumptions', [], { q: id })}>
        <Foreign text={id} />
      </Anchor>
      {found && (
        <>
          <Text size="sm">{found.description}</Text>
          <NativeSelect
            size="xs"
            my={4}
            aria-label={`Assumption ${found.id}`}
            value={found.value}
            data={found.choices.map(([value, meaning]) => ({
              value,
              label: meaning.startsWith(value) ? meaning : `${value}: ${meaning}`,
            }))}
            onChange={({ currentTarget: { value } }) =>
              void act(() => control.assumptions.set(found.id, value), {
                done: `${found.id} is now ${value}. It applies to the next replies.`,
                undo: 1,
              })
            }
          />
          <Text size="xs" c="dimmed">
            The contract is silent in: {found.section}.
          </Text>
        </>
      )}
    </>
  );
};

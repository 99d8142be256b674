import { Accordion, Anchor, Badge, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import { Assumption } from '../../assumption.tsx';
import { toHash } from '../../route.ts';
import { countOf, Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { isUnmatched } from './filter.ts';

/** Why it got this reply: the reason first, then what else matters. */
export const Reasons = ({ request }: { readonly request: RecordedRequest }) => {
  const { operation, nearest, upstream, faults, idleFaults, assumptions, refusal } = request;
  const isPlain = operation !== null && refusal === null && faults.length === 0;
  return (
    <Stack component="ul" gap="xs" fz="sm" className="plain-list wrap" aria-label="Why it got this reply">
      {upstream !== null && (
        <Reason mark="forwarded">
          No operation has this method and path, so it was forwarded to <Foreign text={upstream} />
        </Reason>
      )}
      {isUnmatched(request) && (
        <Reason mark="unmatched" color="orange">
          <Foreign text={nearest ?? 'No operation has this method and path.'} />
        </Reason>
      )}
      {faults.map((fault) => (
        <Reason key={fault} mark="fault" color="red">
          <Link href={toHash('faults')} text={fault} />
        </Reason>
      ))}
      {refusal && operation !== null && <Refused request={request} refusal={refusal} />}
      {isPlain && <Reason>It follows from the contract and the records.</Reason>}
      {idleFaults.map(({ fault, reason }) => (
        <Reason key={fault} mark="fault without effect" color="blue">
          <Link href={toHash('faults')} text={fault} />: <Foreign text={reason} />.
        </Reason>
      ))}
      {assumptions.length > 0 && (
        <li>
          <Accordion chevronPosition="left" transitionDuration={0}>
            <Accordion.Item value="assumptions">
              <Accordion.Control fz="sm">
                It depends on {countOf(assumptions.length, 'assumption')}
              </Accordion.Control>
              <Accordion.Panel>
                <Stack component="ul" gap="xs" className="plain-list">
                  {assumptions.map((one) => (
                    <li key={one}>
                      <Dependence id={one} />
                    </li>
                  ))}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </li>
      )}
    </Stack>
  );
};

interface ReasonProps {
  readonly mark?: string;
  readonly color?: string;
  readonly children: ReactNode;
}

const Reason = ({ mark, color = 'gray', children }: ReasonProps) => (
  <li>
    {mark && <Badge color={color}>{mark}</Badge>} {children}
  </li>
);

const Link = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <Anchor inherit underline="always" href={href}>
    <Foreign text={text} />
  </Anchor>
);

interface RefusedProps {
  readonly request: RecordedRequest;
  readonly refusal: NonNullable<RecordedRequest['refusal']>;
}

/** One sentence on what refused it, with links. */
const Refused = ({ request: { reply, time }, refusal: { assumption, quota } }: RefusedProps) => {
  if (quota === null) {
    const { message } = Object(tryParse(reply?.body ?? ''));
    return (
      <Reason mark="refused" color="orange">
        <Foreign text={String(message ?? '')} /> By the assumption <Dependence id={assumption} />
      </Reason>
    );
  }
  const { policy, name, type, used, limit, cost, resets_at } = quota;
  const today = formatTime(time).slice(0, 11);
  return (
    <Reason>
      Refused by the policy <Link href={toHash('data', ['policies', policy])} text={name ?? policy} />: {used}{' '}
      of {limit} {type} used{cost === 1 ? '' : `, this call takes ${cost}`}, resets at{' '}
      {formatTime(resets_at).replace(today, '')}. <Link href={toHash('faults')} text="Quotas" />
    </Reason>
  );
};

/** An assumption that the reply depends on, with its switch. */
const Dependence = ({ id }: { readonly id: string }) => {
  const { value: known } = useQuery('assumptions', (own) => own.assumptions.list());
  const found = known?.find((one) => one.id === id);
  return (
    <>
      <Link href={toHash('assumptions', [], { q: id })} text={id} />
      {found && <Assumption assumption={found} />}
    </>
  );
};

// Why a request got its reply, as callouts below its title: what decided it first.
import { Anchor, Group, Progress, Spoiler, Stack, Text } from '@mantine/core';
import {
  IconAdjustments,
  IconArrowForwardUp,
  IconBolt,
  IconGauge,
  IconHelp,
  IconRoute,
  type Icon as IconType,
  IconUnlink,
} from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import { Action } from '../../act.tsx';
import { Assumption } from '../../assumption.tsx';
import { control } from '../../connection.ts';
import { toHash } from '../../route.ts';
import { countOf, Foreign, formatTime, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { toggle } from '../faults/commands.ts';
import { isBroken, isUnmatched } from './filter.ts';
import { describeOutcome } from './texts.ts';
import type { Tone } from './why.ts';

export const Callouts = ({ request }: { readonly request: RecordedRequest }) => {
  const { operation, status, nearest, upstream, faults, idleFaults, refusal } = request;
  const tone: Tone = (status ?? 500) >= 500 ? 'bad' : (status ?? 500) >= 400 ? 'warn' : 'ok';
  return (
    <Stack component="ul" gap="xs" className="plain-list" aria-label="Why it got this reply">
      {isBroken(request) && (
        <Callout tone="bad" Icon={IconUnlink}>
          {describeOutcome(request)}
        </Callout>
      )}
      {faults.map((line) => (
        <FaultCallout
          key={line}
          line={line}
          tone={isBroken(request) ? 'bad' : tone === 'ok' ? 'warn' : tone}
        />
      ))}
      {refusal?.quota && <QuotaCallout request={request} quota={refusal.quota} />}
      {refusal && !refusal.quota && operation !== null && (
        <RefusalCallout request={request} assumption={refusal.assumption} tone={tone} />
      )}
      {upstream !== null && (
        <Callout tone="info" Icon={IconArrowForwardUp}>
          No operation has this method and path, so it was forwarded to <Foreign text={upstream} />
        </Callout>
      )}
      {isUnmatched(request) && (
        <Callout tone="warn" Icon={IconHelp}>
          <Foreign text={nearest ?? 'No operation has this method and path.'} />
        </Callout>
      )}
      {operation?.startsWith('list') && <WalkCallout request={request} />}
      {idleFaults.map(({ fault, reason }) => (
        <Callout key={fault} tone="info" Icon={IconBolt}>
          The fault <FaultLink line={fault} /> had no effect: <Foreign text={reason} />.
        </Callout>
      ))}
    </Stack>
  );
};

interface CalloutProps {
  readonly tone: Tone;
  readonly Icon: IconType;
  /** What can be done about it. */
  readonly side?: ReactNode;
  readonly children: ReactNode;
}

/** A reason, as an item of a list. */
export const Callout = ({ tone, Icon, side, children }: CalloutProps) => {
  const text = useId();
  return (
    <Group
      component="li"
      gap={8}
      wrap="nowrap"
      align="flex-start"
      p="8px 8px 8px 12px"
      bg={`var(--${tone}-soft)`}
      style={{ borderLeft: `3px solid var(--${tone}-fill)`, borderRadius: '0 6px 6px 0' }}
    >
      <Icon size={16} aria-hidden style={{ flex: 'none', marginTop: 2, color: `var(--${tone})` }} />
      <Spoiler
        className="wrap"
        flex={1}
        maxHeight={64}
        showLabel="Show all"
        hideLabel="Show less"
        attributes={{ content: { 'aria-labelledby': text } }} // it is a region, which needs a name
      >
        <div id={text}>{children}</div>
      </Spoiler>
      {side}
    </Group>
  );
};

const FaultLink = ({ line }: { readonly line: string }) => (
  <Anchor inherit c="inherit" underline="always" href={toHash('faults')} className="mono">
    <Foreign text={line} />
  </Anchor>
);

/** A fault that acted, with what it is now. */
const FaultCallout = ({ line, tone }: { readonly line: string; readonly tone: Tone }) => {
  const { value: faults } = useQuery('faults', (own) => own.faults.list());
  const info = faults?.find(({ fault }) => fault === line);
  const state =
    faults === undefined
      ? ''
      : info === undefined
        ? 'It was removed since.'
        : info.off
          ? 'It is off now.'
          : info.spent
            ? `It hit ${info.hits} of ${info.calls} calls, and is used up.`
            : `It hit ${info.hits} of ${info.calls} calls, and is on.`;
  const again = info?.spent && {
    run: () => control.faults.update(info.id, { restart: true }),
    done: `${line}: can be used again`,
  };
  return (
    <Callout
      tone={tone}
      Icon={IconBolt}
      side={
        info && (
          <Action {...(again || toggle(info))}>
            {again ? 'Use again' : info.off ? 'Turn on' : 'Turn off'}
          </Action>
        )
      }
    >
      <b>Fault</b> <FaultLink line={line} />
      <Text c="dimmed" size="xs">
        {state}
      </Text>
    </Callout>
  );
};

/** Which page of which walk it was. */
const WalkCallout = ({ request: { ordinal } }: { readonly request: RecordedRequest }) => {
  const { value: walks = [] } = useQuery('walks', (own) => own.requests.walks());
  const walk = walks.find(({ pages }) => pages.some((page) => page.ordinal === ordinal));
  if (walk === undefined || walk.pages.length < 2) return null;
  const { pages, missed, stopped } = walk;
  const number = pages.findIndex((page) => page.ordinal === ordinal) + 1;
  const repeated = pages[number - 1]?.records.filter(({ state }) => state === 'repeated').length ?? 0;
  return (
    <Callout tone={repeated > 0 ? 'warn' : 'idle'} Icon={IconRoute}>
      Page {number} of {pages.length} of{' '}
      <Anchor inherit c="inherit" underline="always" href={toHash('walks', [], { page: String(ordinal) })}>
        its walk
      </Anchor>
      {stopped ? '' : ' so far'}
      {repeated > 0 && `, ${countOf(repeated, 'record')} repeated`}
      {stopped && missed.length > 0 && `, ${countOf(missed.length, 'record')} missed by the walk`}
    </Callout>
  );
};

interface QuotaProps {
  readonly request: RecordedRequest;
  readonly quota: NonNullable<NonNullable<RecordedRequest['refusal']>['quota']>;
}

const QuotaCallout = ({ request: { time }, quota }: QuotaProps) => {
  const { policy, name, type, used, limit, cost, resets_at } = quota;
  const today = formatTime(time).slice(0, 11);
  return (
    <Callout tone="warn" Icon={IconGauge}>
      <b>Limit</b>{' '}
      <Anchor inherit c="inherit" underline="always" href={toHash('data', ['policies', policy])}>
        <Foreign text={name ?? policy} />
      </Anchor>
      : {used} of {limit} {type} used{cost === 1 ? '' : `, this call takes ${cost}`}, resets at{' '}
      {formatTime(resets_at).replace(today, '')}.{' '}
      <Anchor inherit c="inherit" underline="always" href={toHash('limits')}>
        Limits
      </Anchor>
      <Progress
        mt={4}
        color="orange"
        value={limit === 0 ? 100 : (used / limit) * 100}
        aria-label="Used of the limit"
      />
    </Callout>
  );
};

interface RefusalProps {
  readonly request: RecordedRequest;
  readonly assumption: string;
  readonly tone: Tone;
}

/** What refused it, with the switch of the assumption if there is a choice. */
const RefusalCallout = ({ request: { reply }, assumption: id, tone }: RefusalProps) => {
  const { value: assumptions } = useQuery('assumptions', (own) => own.assumptions.list());
  const assumption = assumptions?.find((known) => known.id === id);
  const { message } = Object(tryParse(reply?.body ?? ''));
  return (
    <Callout tone={tone} Icon={IconAdjustments}>
      <Foreign text={String(message ?? '')} />
      <Text size="xs" c="dimmed">
        By the assumption{' '}
        <Anchor inherit c="inherit" underline="always" href={toHash('assumptions', [], { q: id })}>
          {id}
        </Anchor>
      </Text>
      {assumption && assumption.choices.length > 1 && <Assumption assumption={assumption} />}
    </Callout>
  );
};

/** All assumptions that the reply depends on. */
export const Dependences = ({ ids }: { readonly ids: readonly string[] }) => {
  const { value: assumptions } = useQuery('assumptions', (own) => own.assumptions.list());
  return (
    <Stack component="ul" gap="xs" className="plain-list">
      {ids.map((id) => {
        const assumption = assumptions?.find((known) => known.id === id);
        return (
          <li key={id}>
            <Anchor inherit underline="always" href={toHash('assumptions', [], { q: id })}>
              {id}
            </Anchor>
            {assumption && <Rich text={`: ${assumption.description}`} />}
          </li>
        );
      })}
    </Stack>
  );
};

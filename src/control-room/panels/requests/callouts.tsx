// Why a request got its reply, as callouts below its title: what decided it first.
import { Box, Group, Stack, Text } from '@mantine/core';
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
import type { ReactNode } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import { Action } from '../../act.tsx';
import { Assumption, Note } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { countOf, Foreign, formatTime, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { restart, toggle } from '../faults/commands.ts';
import { isBroken, isUnmatched } from './filter.ts';
import { type Tone, toneOfRequest } from './status.tsx';
import { describeOutcome } from './texts.ts';

export const Callouts = ({ request }: { readonly request: RecordedRequest }) => {
  const { operation, nearest, upstream, faults, idleFaults, refusal } = request;
  const tone = toneOfRequest(request);
  return (
    <Stack component="ul" gap="xs" className="plain-list" aria-label="Why it got this reply">
      {isBroken(request) && (
        <Callout tone="bad" Icon={IconUnlink}>
          {describeOutcome(request)}
        </Callout>
      )}
      {faults.map((line) => (
        <FaultCallout key={line} line={line} tone={tone === 'ok' ? 'warn' : tone} />
      ))}
      <QuotaCallout request={request} />
      {refusal && !refusal.quota && operation !== null && <RefusalCallout request={request} />}
      {upstream !== null && (
        <Callout tone="info" Icon={IconArrowForwardUp}>
          No operation has this method and path, so it was forwarded to <Foreign text={upstream} />
        </Callout>
      )}
      {isUnmatched(request) && (
        <Callout tone="warn" Icon={IconHelp}>
          <Folded text={nearest ?? 'No operation has this method and path.'} />
        </Callout>
      )}
      {operation?.startsWith('list') && <WalkCallout ordinal={request.ordinal} />}
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
export const Callout = ({ tone, Icon, side, children }: CalloutProps) => (
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
    <Box className="callout wrap" flex={1}>
      {children}
    </Box>
    {side}
  </Group>
);

/** A text that may be long: the reply below stays in view. */
const Folded = ({ text }: { readonly text: string }) => (
  <Text lineClamp={3} title={isolate(text)}>
    <Foreign text={text} />
  </Text>
);

const FaultLink = ({ line }: { readonly line: string }) => (
  <a href={toHash('faults')} className="mono">
    <Foreign text={line} />
  </a>
);

/** A fault that acted, with what it is now. */
const FaultCallout = ({ line, tone }: { readonly line: string; readonly tone: Tone }) => {
  const { value: faults } = useQuery('faults', (own) => own.faults.list());
  const info = faults?.find(({ fault }) => fault === line);
  const button = info?.spent ? 'Use again' : info?.off ? 'Turn on' : 'Turn off';
  const state = info?.off
    ? 'It is off now.'
    : `It hit ${info?.hits} of ${info?.calls} calls${info?.spent ? ', and is used up' : ''}.`;
  return (
    <Callout
      tone={tone}
      Icon={IconBolt}
      side={info && <Action text={button} {...(info.spent ? restart(info) : toggle(info))} />}
    >
      <b>Fault</b> <FaultLink line={line} />
      <Note>{info ? state : faults && 'It was removed since.'}</Note>
    </Callout>
  );
};

/** Which page of which walk it was. */
const WalkCallout = ({ ordinal }: { readonly ordinal: number }) => {
  const { value: walks = [] } = useQuery('walks', (own) => own.requests.walks());
  const walk = walks.find(({ pages }) => pages.some((page) => page.ordinal === ordinal));
  if (walk === undefined || walk.pages.length < 2) return null;
  const { pages, missed, stopped } = walk;
  const number = pages.findIndex((page) => page.ordinal === ordinal) + 1;
  const repeated = pages[number - 1]?.records.filter(({ state }) => state === 'repeated').length ?? 0;
  return (
    <Callout tone={repeated > 0 ? 'warn' : 'idle'} Icon={IconRoute}>
      Page {number} of {pages.length} of <a href={toHash('walks', [], { page: String(ordinal) })}>its walk</a>
      {!stopped && ' so far'}
      {repeated > 0 && `, ${countOf(repeated, 'record')} repeated`}
      {stopped && missed.length > 0 && `, ${countOf(missed.length, 'record')} missed by the walk`}
    </Callout>
  );
};

const QuotaCallout = ({ request: { time, refusal } }: { readonly request: RecordedRequest }) => {
  if (!refusal?.quota) return null;
  const { policy, name, type, used, limit, cost, resets_at } = refusal.quota;
  const today = formatTime(time).slice(0, 11);
  return (
    <Callout tone="warn" Icon={IconGauge}>
      <b>Limit</b>{' '}
      <a href={toHash('data', ['policies', policy])}>
        <Foreign text={name ?? policy} />
      </a>
      : {used} of {limit} {type} used{cost > 1 && `, this call takes ${cost}`}, resets at{' '}
      {formatTime(resets_at).replace(today, '')}. <a href={toHash('limits')}>Limits</a>
      <progress
        value={used}
        max={limit || used}
        aria-label="Used of the limit"
        style={{ display: 'block' }}
      />
    </Callout>
  );
};

/** What refused it, with the switch of the assumption if there is a choice. */
const RefusalCallout = ({ request }: { readonly request: RecordedRequest }) => {
  const id = request.refusal?.assumption ?? '';
  const { value: assumptions } = useQuery('assumptions', (own) => own.assumptions.list());
  const assumption = assumptions?.find((each) => each.id === id);
  const { message } = Object(tryParse(request.reply?.body ?? ''));
  return (
    <Callout tone={toneOfRequest(request)} Icon={IconAdjustments}>
      <Folded text={String(message ?? '')} />
      <Note>
        By the assumption <a href={toHash('assumptions', [], { q: id })}>{id}</a>
      </Note>
      {assumption && assumption.choices.length > 1 && <Assumption assumption={assumption} />}
    </Callout>
  );
};

import { Badge, Group, Skeleton, Switch, Text } from '@mantine/core';
import { IconCopyPlus, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { FaultInfo } from '../../../faults/faults.ts';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { countOf } from '../../format.ts';
import { act } from '../../notify.tsx';
import { Line, Lines, Section } from '../../section.tsx';
import { Foreign, isolate } from '../../text.tsx';

interface ListProps {
  readonly faults: readonly FaultInfo[] | undefined;
  /** Takes a line into the editor, to replace the fault with this id, or as a new one. */
  readonly take: (line: string, id?: string) => void;
  readonly focusLine: () => void;
}

/** The faults in the order in which they are tried. */
export const FaultList = ({ faults, take, focusLine }: ListProps) => {
  if (faults === undefined) return <Skeleton height={44} animate={false} />;
  const clear = async (): Promise<void> => {
    await control.faults.clear();
    focusLine(); // the button goes
  };
  const remove = async (id: string, index: number): Promise<void> => {
    await control.faults.remove(id);
    // The button goes with its fault.
    const left = await control.faults.list();
    const next = left[index] ?? left.at(-1);
    if (next === undefined) focusLine();
    else document.getElementById(`remove-${next.id}`)?.focus();
  };
  return (
    <Section
      title="Active faults"
      note={
        faults.length === 0 &&
        'No faults: every call gets its usual reply. Add one above, or select an example below.'
      }
      side={
        faults.length > 0 && (
          <Action run={clear} done="All faults were removed" undo={1}>
            Remove all
          </Action>
        )
      }
    >
      <Lines label="Faults" first={20}>
        {faults.map((fault, index) => (
          <One key={fault.id} fault={fault} take={take} remove={() => remove(fault.id, index)} />
        ))}
      </Lines>
    </Section>
  );
};

/** What is said of a fault that does nothing, or has not done anything yet. */
const describe = ({ off, spent, unused }: FaultInfo): string => {
  if (off) return 'It changes no calls.';
  if (unused === null) return spent ? 'It changes no more calls.' : '';
  return `${spent ? 'It never had an effect' : 'No effect yet'}: ${unused}.`;
};

interface OneProps extends Pick<ListProps, 'take'> {
  readonly fault: FaultInfo;
  readonly remove: () => Promise<void>;
}

const One = ({ fault: info, take, remove }: OneProps) => {
  const { id, fault, calls, hits, off: isOff = false, spent: isSpent = false } = info;
  const name = isolate(fault);
  const state = isOff ? 'off' : isSpent ? 'used up' : undefined;
  const toggle = () =>
    act(() => control.faults.update(id, { off: !isOff }), {
      done: isOff ? 'The fault is on' : 'The fault is off',
      undo: 1,
    });
  const restart = async (): Promise<void> => {
    await control.faults.update(id, { restart: true });
    document.getElementById(id)?.focus(); // the button goes
  };
  const buttons = [
    ['Edit', IconPencil, async () => take(fault, id)],
    ['Duplicate', IconCopyPlus, async () => take(fault)],
  ] as const;
  return (
    <Line
      actions={
        <>
          {isSpent && (
            <Action
              run={restart}
              done="The fault acts again"
              undo={1}
              Icon={IconRefresh}
              aria-label={`Arm again ${name}`}
            >
              Arm again
            </Action>
          )}
          {buttons.map(([text, Icon, run]) => (
            <Action key={text} run={run} Icon={Icon} title={text} aria-label={`${text} ${name}`} />
          ))}
          <Action
            id={`remove-${id}`}
            run={remove}
            done="The fault was removed"
            undo={1}
            title="Remove"
            aria-label={`Remove ${name}`}
            Icon={IconTrash}
          />
        </>
      }
    >
      <Group wrap="nowrap" align="flex-start">
        <Switch id={id} aria-label={`On: ${name}`} checked={!isOff} onChange={() => void toggle()} />
        <div className="wrap">
          <Text size="sm" className="mono" {...(state && { c: 'dimmed', td: 'line-through' })}>
            <Foreign text={fault} />
          </Text>
          <Group gap="2px 8px">
            {state && <Badge color="gray">{state}</Badge>}
            <Text size="xs" c="dimmed">
              {countOf(calls, 'call')}, {countOf(hits, 'hit')}. <Foreign text={describe(info)} />
            </Text>
          </Group>
        </div>
      </Group>
    </Line>
  );
};

import { Badge, Button, Group, Paper, Skeleton, Switch, Text, Title } from '@mantine/core';
import { IconCopyPlus, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { FaultInfo } from '../../../faults/faults.ts';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { countOf } from '../../format.ts';
import { act } from '../../notify.tsx';
import { Foreign, isolate } from '../../text.tsx';
import { focusLine } from './fault-editor.tsx';

interface ListProps {
  readonly faults: readonly FaultInfo[] | undefined;
  /** Takes a line into the editor, to replace the fault with this id, or as a new one. */
  readonly take: (line: string, id?: string) => void;
}

/** The faults in the order in which they are tried. */
export const FaultList = ({ faults, take }: ListProps) => {
  const clear = async (): Promise<void> => {
    await control.faults.clear();
    focusLine(); // the button goes
  };
  const remove = async (id: string, index: number): Promise<void> => {
    await control.faults.remove(id);
    // The button goes with its fault.
    const next = faults?.[index + 1] ?? faults?.[index - 1];
    if (next === undefined) focusLine();
    else document.getElementById(`remove-${next.id}`)?.focus();
  };
  return (
    <Paper component="section" aria-labelledby="faults">
      <Group justify="space-between" mb="xs">
        <Title id="faults" order={2} size="h4">
          Active faults
        </Title>
        {faults !== undefined && faults.length > 0 && (
          <Action run={clear} done="All faults were removed" undo={1}>
            Remove all
          </Action>
        )}
      </Group>
      {faults === undefined && <Skeleton height={44} animate={false} />}
      {faults?.length === 0 && (
        <Text size="sm" c="dimmed">
          No faults: every call gets its usual reply. Add one above, or select an example below.
        </Text>
      )}
      <ol className="plain-list" aria-label="Faults">
        {faults?.map((fault, index) => (
          <One
            key={fault.id}
            fault={fault}
            index={index}
            take={take}
            remove={() => remove(fault.id, index)}
          />
        ))}
      </ol>
    </Paper>
  );
};

const icon = { size: 16, 'aria-hidden': true } as const;

interface OneProps extends Pick<ListProps, 'take'> {
  readonly fault: FaultInfo;
  readonly index: number;
  readonly remove: () => Promise<void>;
}

const One = ({ fault: info, index, take, remove }: OneProps) => {
  const { id, fault, calls, hits, unused } = info;
  const isOff = info.off === true;
  const isSpent = info.spent === true;
  const name = isolate(fault);
  const note = isOff
    ? 'It changes no calls.'
    : isSpent
      ? unused === null
        ? 'It changes no more calls.'
        : `It never had an effect: ${unused}.`
      : unused !== null && `No effect yet: ${unused}.`;
  const toggle = () =>
    act(() => control.faults.update(id, { off: !isOff }), {
      done: isOff ? 'The fault is on' : 'The fault is off',
      undo: 1,
    });
  const restart = async (): Promise<void> => {
    await control.faults.update(id, { restart: true });
    document.getElementById(id)?.focus(); // the button goes
  };
  return (
    <li className="fault">
      <Text size="sm" c="dimmed" ta="right" aria-hidden>
        {index + 1}
      </Text>
      <Switch id={id} aria-label={`On: ${name}`} checked={!isOff} onChange={() => void toggle()} />
      <div>
        <Text size="sm" className="mono" {...((isOff || isSpent) && { c: 'dimmed', td: 'line-through' })}>
          <Foreign text={fault} />
        </Text>
        <Group gap={6}>
          {isOff ? (
            <Badge size="sm" color="gray">
              off
            </Badge>
          ) : (
            isSpent && (
              <Badge size="sm" color="gray">
                used up
              </Badge>
            )
          )}
          {note && (
            <Text size="xs" c="dimmed">
              <Foreign text={note} />
            </Text>
          )}
        </Group>
      </div>
      <Text size="sm" c="dimmed" className="numbers">
        {countOf(calls, 'call')}, {countOf(hits, 'hit')}
      </Text>
      <Group gap={4}>
        {isSpent && (
          <Action
            run={restart}
            done="The fault acts again"
            undo={1}
            leftSection={<IconRefresh {...icon} />}
            aria-label={`Arm again ${name}`}
          >
            Arm again
          </Action>
        )}
        <Button
          variant="default"
          size="xs"
          px={8}
          title="Edit"
          aria-label={`Edit ${name}`}
          onClick={() => take(fault, id)}
        >
          <IconPencil {...icon} />
        </Button>
        <Button
          variant="default"
          size="xs"
          px={8}
          title="Duplicate"
          aria-label={`Duplicate ${name}`}
          onClick={() => take(fault)}
        >
          <IconCopyPlus {...icon} />
        </Button>
        <Action
          id={`remove-${id}`}
          run={remove}
          done="The fault was removed"
          undo={1}
          px={8}
          title="Remove"
          aria-label={`Remove ${name}`}
        >
          <IconTrash {...icon} />
        </Action>
      </Group>
    </li>
  );
};

import { Paper, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import { Action } from '../../act.tsx';
import { control } from '../../connection.ts';
import { Slot } from '../../parts.tsx';
import { describePolicy, units } from '../data/columns.tsx';

/** Whose calls are counted together, as the key of a group; empty for all. */
const owners = {
  '': 'everyone',
  api_key: 'each API key',
  virtual_key: 'each virtual key',
  model: 'each model',
};

/** A limit as a sentence. Adding it also enforces the limits. */
export const NewLimit = () => {
  const [limit, setLimit] = useState({ value: 10, type: 'requests', unit: 'rpm', whom: '' });
  const { value, type, unit, whom } = limit;
  const set = (name: keyof typeof limit) => (changed: string | number) =>
    setLimit({ ...limit, [name]: changed });
  const fields = { value, type, unit, group_by: whom === '' ? [] : [{ key: whom }] } as Partial<Policy>; // as the choices are
  const run = async (): Promise<void> => {
    await control.records.policies.create({
      ...fields,
      status: 'active',
      name: describePolicy(fields),
      conditions: [],
    });
    if (!(await control.quotas.isEnforced())) await control.quotas.enforce();
  };
  return (
    <Paper
      component="form"
      aria-label="New limit"
      className="sentence"
      py="sm"
      onSubmit={(event) => event.preventDefault()}
    >
      New limit:
      <TextInput
        type="number"
        aria-label="How many"
        w={72}
        min={0}
        value={value}
        onChange={({ currentTarget }) => set('value')(Number(currentTarget.value))}
      />
      <Slot aria-label="What" value={type} choices={['requests', 'tokens']} choose={set('type')} />
      a
      <Slot
        aria-label="In which time"
        value={unit}
        choices={Object.entries(units).map(([name, text]) => [name, text.replace(/^an? /, '')])}
        choose={set('unit')}
      />
      for
      <Slot aria-label="For whom" value={whom} choices={Object.entries(owners)} choose={set('whom')} />
      <Action
        text="Add and enforce"
        type="submit"
        ml="auto"
        variant="filled"
        Icon={IconPlus}
        run={run}
        steps={2}
        done={`${describePolicy(fields)}: added`}
      />
    </Paper>
  );
};

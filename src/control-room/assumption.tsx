import { NativeSelect, Text } from '@mantine/core';
import type { AssumptionInUse } from '../core/assumptions/marking.ts';
import { act } from './act.tsx';
import { control } from './connection.ts';

interface AssumptionProps {
  readonly assumption: AssumptionInUse;
}

/** What is assumed, with its switch if there are alternatives. */
export const Assumption = ({ assumption: { id, choices, value } }: AssumptionProps) => {
  const options = choices.map(([choice, meaning]) => ({
    value: choice,
    label: meaning.startsWith(choice) ? meaning : `${choice}: ${meaning}`,
  }));
  if (options.length < 2) return <Text size="xs">{options[0]?.label}</Text>;
  return (
    <NativeSelect
      aria-label={`Choice for ${id}`}
      value={value}
      data={options}
      onChange={({ currentTarget: { value: chosen } }) =>
        void act({
          run: () => control.assumptions.set(id, chosen),
          done: `${id}: now ${chosen}, from the next replies on`,
        })
      }
    />
  );
};

import { NativeSelect, Text } from '@mantine/core';
import type { AssumptionInUse } from '../core/assumptions/marking.ts';
import { act } from './act.tsx';
import { control } from './connection.ts';

/** What an assumption says, with its switch if there are alternatives. */
export const Assumption = ({
  assumption: { id, description, section, choices, value },
  isShort = false,
}: {
  readonly assumption: AssumptionInUse;
  /** The switch alone. */
  readonly isShort?: boolean;
}) => {
  const options = choices.map(([choice, meaning]) => ({
    value: choice,
    label: meaning.startsWith(choice) ? meaning : `${choice}: ${meaning}`,
  }));
  return (
    <>
      {!isShort && (
        <>
          <Text>{description}</Text>
          <Text size="xs" c="dimmed">
            The contract does not say this under “{section}”.
          </Text>
        </>
      )}
      {options.length > 1 ? (
        <NativeSelect
          size="xs"
          mt={4}
          maw={640}
          aria-label={`Choice for ${id}`}
          value={value}
          data={options}
          onChange={({ currentTarget: { value: chosen } }) =>
            void act({
              run: () => control.assumptions.set(id, chosen),
              done: `${id} is now ${chosen}. It applies to the next replies.`,
            })
          }
        />
      ) : (
        <Text>{options[0]?.label}</Text>
      )}
    </>
  );
};

// How a run or batch ends, as a part of a sentence.
import { TextInput } from '@mantine/core';
import type { EndOptions } from '../../../service/control/control-interface.ts';
import { Slot } from '../../parts.tsx';

export interface Ending {
  readonly ends: string;
  readonly after: string;
}

export const noEnding: Ending = { ends: 'completed', after: '' };

/** As the control takes it; undefined if nothing was chosen. */
export const toEnding = ({ ends, after }: Ending): EndOptions | undefined =>
  ends === noEnding.ends && after.trim() === ''
    ? undefined
    : { ends, ...(after.trim() !== '' && { after: after.trim() }) };

interface EndingProps {
  readonly states: readonly string[];
  readonly ending: Ending;
  readonly set: (ending: Ending) => void;
}

export const EndingSlots = ({ states, ending, set }: EndingProps) => (
  <>
    <Slot
      label="Ends"
      value={ending.ends}
      choices={states.map((state) => ({ value: state, label: state }))}
      choose={(ends) => set({ ...ending, ends })}
    />
    after
    <TextInput
      aria-label="After"
      w={88}
      placeholder="as usual"
      value={ending.after}
      onChange={({ currentTarget }) => set({ ...ending, after: currentTarget.value })}
    />
  </>
);

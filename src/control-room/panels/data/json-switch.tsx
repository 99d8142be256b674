import { SegmentedControl } from '@mantine/core';

interface JsonSwitchProps {
  readonly label: string;
  /** What is shown if not JSON. */
  readonly other: string;
  readonly isJson: boolean;
  /** Called with `json` or nothing, as links have it. */
  readonly set: (view: string) => void;
}

export const JsonSwitch = ({ label, other, isJson, set }: JsonSwitchProps) => (
  <SegmentedControl
    size="xs"
    aria-label={label}
    data={[
      { value: '', label: other },
      { value: 'json', label: 'JSON' },
    ]}
    value={isJson ? 'json' : ''}
    onChange={set}
  />
);

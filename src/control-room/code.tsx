import { Code } from '@mantine/core';
import { parseJson, toJsonText } from '../core/util/json.ts';
import { tryParse } from '../core/util/try-parse.ts';
import { Foreign } from './text.tsx';

/** The properties of a text that scrolls, so that it can be reached by keyboard. */
export const scrollable = (label: string) => ({ tabIndex: 0, role: 'region', 'aria-label': label });

/** Any value, or a text of JSON, to be read. */
export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const parsed = typeof value === 'string' ? tryParse(value, parseJson) : value;
  return (
    <Code block className="json" {...scrollable(label)}>
      <Foreign text={parsed === undefined ? String(value) : toJsonText(parsed, 2)} />
    </Code>
  );
};

import { Code } from '@mantine/core';
import { parseJson, toJsonText } from '../core/util/json.ts';
import { tryParse } from '../core/util/try-parse.ts';
import { Foreign } from './text.tsx';

/** Any value, or a text of JSON, to be read. */
export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const parsed = typeof value === 'string' ? tryParse(value, parseJson) : value;
  return (
    // It scrolls, so it must be reachable by keyboard.
    <Code block className="json" tabIndex={0} role="region" aria-label={label}>
      <Foreign text={parsed === undefined ? String(value) : toJsonText(parsed, 2)} />
    </Code>
  );
};

import { Anchor, Code } from '@mantine/core';
import { parseJson, toJsonText } from '../util/json.ts';
import { tryParse } from '../util/try-parse.ts';
import { toHash } from './route.ts';
import { Foreign } from './text.tsx';

/** The beginnings of seeded ids, with their kinds. */
const kindOf: Readonly<Record<string, string>> = {
  thread_: 'threads',
  run_: 'runs',
  batch_: 'batches',
  'ftjob-': 'jobs',
  ftckpt_: 'checkpoints',
  prompt_: 'prompts',
};

/** An id in quotes that is a value: a key has a colon behind it. The ids of policies are UUIDs. */
const idPattern = new RegExp(
  `(?<=")((?:${Object.keys(kindOf).join('|')})[\\w.-]+|(?<="id": ")[\\da-f]{8}(?:-[\\da-f]+){4})(?="(?!\\s*:))`,
);

/** A text of JSON, in which the ids of records are links. */
const IdLinks = ({ text }: { readonly text: string }) =>
  text.split(idPattern).map((part, at) => {
    const kind = kindOf[/^[a-z]+[_-]/.exec(part)?.[0] ?? ''] ?? 'policies';
    return at % 2 === 0 ? (
      <Foreign key={at} text={part} />
    ) : (
      <Anchor key={at} inherit underline="always" href={toHash('data', [kind, part])}>
        {part}
      </Anchor>
    );
  });

/** Any value, or a text of JSON, to be read. */
export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const parsed = typeof value === 'string' ? tryParse(value, parseJson) : value;
  return (
    // It scrolls, so it must be reachable by keyboard.
    <Code block className="json" tabIndex={0} role="region" aria-label={label}>
      {parsed === undefined ? <Foreign text={String(value)} /> : <IdLinks text={toJsonText(parsed, 2)} />}
    </Code>
  );
};

import { Name } from './name.tsx';
import { toHash } from './route.ts';

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
const pattern = new RegExp(
  `(?<=")((?:${Object.keys(kindOf).join('|')})[\\w.-]+|(?<="id": ")[\\da-f]{8}(?:-[\\da-f]+){4})(?="(?!\\s*:))`,
);

/** A text of JSON, in which the ids of records are links. */
export const IdLinks = ({ text }: { readonly text: string }) => (
  <>
    {text.split(pattern).map((part, at) =>
      at % 2 === 0 ? (
        <Name text={part} />
      ) : (
        <a key={at} href={toHash('data', [kindOf[/^[a-z]+[_-]/.exec(part)?.[0] ?? ''] ?? 'policies', part])}>
          {part}
        </a>
      ),
    )}
  </>
);

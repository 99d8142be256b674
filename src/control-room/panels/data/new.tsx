import { Button, Stack, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { toJsonText } from '../../../core/util/json.ts';
import { Action } from '../../act.tsx';
import { type AnyRecord, type Kind, linkTo, recordsOf } from '../../kinds.ts';
import { useSchemas } from '../../openapi.ts';
import { fieldError } from '../../parts.tsx';
import { go, toHash, useRoute } from '../../route.ts';
import { useKept } from '../../use-kept.ts';
import { useQuery } from '../../use-query.ts';
import { toRecord } from './field-values.ts';

interface NewLinkProps {
  readonly kind: Kind;
  /** The owner that is filled in. Default: the newest. */
  readonly owner?: string;
}

export const NewLink = ({ kind: { name, singular }, owner }: NewLinkProps) => (
  <Button
    component="a"
    leftSection={<IconPlus size={16} aria-hidden />}
    href={toHash('data', [name], { new: singular, owner })}
  >
    New {singular}
  </Button>
);

/** A new record, written as JSON: `#/data/runs?new=run&owner=thread_demo`. The text survives a reload. */
export const NewRecord = ({ kind: { name, singular, owner, example } }: { readonly kind: Kind }) => {
  const { owner: ownerId } = useRoute().query;
  const { value: newest } = useQuery(['owner', owner?.kind], async (own) =>
    owner ? await recordsOf(owner.kind, own).list({ limit: 1 }) : [],
  );
  const start = { ...(owner && { [owner.field]: ownerId ?? newest?.[0]?.id ?? '' }), ...example };
  const [text = toJsonText(start, 2), setText] = useKept<string>(`new ${name}`);
  const [error, setError] = useState<string>();
  const fields = Object.keys(useSchemas(name) ?? {}).filter((field) => !(field in start));
  const create = async (): Promise<void> => {
    const { id } = await recordsOf(name).create(toRecord(text) as AnyRecord); // the server checks it
    setText(undefined);
    go(linkTo(name, id));
  };
  const leave = (): void => {
    setText(undefined);
    go(owner && ownerId ? linkTo(owner.kind, ownerId) : toHash('data', [name]));
  };
  return (
    <Stack gap="sm" component="section" aria-label={`New ${singular}`}>
      <Textarea
        label={`The new ${singular} as JSON`}
        description={`Fields that you leave out get generated values: ${fields.join(', ')}`}
        classNames={{ input: 'mono' }}
        autosize
        minRows={8}
        maxRows={24}
        value={text}
        error={fieldError(error)}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="sentence">
        <Action variant="filled" run={create} done={`The ${singular} was created`} fail={setError}>
          Create
        </Action>
        <Action run={leave}>Cancel</Action>
      </div>
    </Stack>
  );
};

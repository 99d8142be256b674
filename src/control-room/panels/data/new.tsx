import { Button, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Mapping } from '../../../core/util/mapping.ts';
import { Action } from '../../act.tsx';
import { type AnyRecord, type Kind, linkTo, recordsOf } from '../../kinds.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { useKept } from '../../use-kept.ts';
import { useQuery } from '../../use-query.ts';
import { EndingSlots, noEnding, toEnding } from './ending.tsx';
import { Fields } from './fields.tsx';

interface NewLinkProps {
  readonly kind: Kind;
  /** The owner that is filled in. Default: the newest. */
  readonly owner?: string;
}

export const NewLink = ({ kind: { name, singular, owner }, owner: ownerId }: NewLinkProps) => {
  const { value: newest } = useQuery(['owner', owner?.kind], async (own) =>
    owner && ownerId === undefined ? await recordsOf(owner.kind, own).list({ limit: 1 }) : [],
  );
  return (
    <Button
      component="a"
      leftSection={<IconPlus size={16} aria-hidden />}
      href={toHash('data', [name], { new: singular, owner: ownerId ?? newest?.[0]?.id })}
    >
      New {singular}
    </Button>
  );
};

/** A new record: `#/data/runs?new=run&owner=thread_demo`. What was written survives a reload. */
export const NewRecord = ({ kind }: { readonly kind: Kind }) => {
  const { name, singular, owner, states } = kind;
  const { owner: ownerId } = useRoute().query;
  const [written, setWritten] = useKept<Mapping>(`new ${name}`);
  const [ending, setEnding] = useState(noEnding);
  const start: Mapping =
    name === 'prompts'
      ? { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] }
      : owner && ownerId
        ? { [owner.field]: ownerId }
        : {};
  const record = { ...start, ...written };
  const leave = (): void => {
    setWritten(undefined);
    go(owner && ownerId ? linkTo(owner.kind, ownerId) : toHash('data', [name]));
  };
  const create = async (): Promise<void> => {
    const fields = record as AnyRecord; // the server checks it
    const { id } = await recordsOf(name).create(fields, toEnding(ending));
    setWritten(undefined);
    go(linkTo(name, id));
  };
  return (
    <Stack gap="sm" component="section" aria-label={`New ${singular}`}>
      <Text c="dimmed">Fields that you leave empty get generated values.</Text>
      <Paper p={0}>
        <Fields
          kind={kind}
          id="new"
          record={record}
          save={(changed) => {
            const fields = Object.entries({ ...record, ...changed });
            setWritten(Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
            return undefined;
          }}
        />
      </Paper>
      <div className="sentence">
        {states && record.status === undefined && (
          <>
            It ends <EndingSlots states={states} ending={ending} set={setEnding} />
          </>
        )}
        <Action variant="filled" ml="auto" run={create} done={`The ${singular} was created`}>
          Create
        </Action>
        <Action run={leave}>Cancel</Action>
      </div>
    </Stack>
  );
};

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type Kind, linkTo, recordsOf } from '../../kinds.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { useQuery } from '../../use-query.ts';
import { type Form, startForm } from './form.ts';
import { RecordForm } from './record-form.tsx';

interface NewLinkProps {
  readonly kind: Kind;
  /** The owner that is filled in. Default: the newest. */
  readonly owner?: string;
}

export const NewLink = ({ kind: { name, singular, owner }, owner: given }: NewLinkProps) => {
  const { value: newest } = useQuery(['owner', owner?.kind], async (own) =>
    owner && given === undefined ? await recordsOf(owner.kind, own).list({ limit: 1 }) : [],
  );
  return (
    <Button
      component="a"
      size="xs"
      leftSection={<IconPlus size={16} aria-hidden />}
      href={toHash('data', [name], { new: singular, owner: given ?? newest?.[0]?.id })}
    >
      New {singular}
    </Button>
  );
};

/** A form for a new record: `#/data/runs?new=run&owner=thread_demo`. */
export const NewRecord = ({ kind }: { readonly kind: Kind }) => {
  const { name, owner } = kind;
  const { owner: ownerId = '' } = useRoute().query;
  const leave = (): void => go(owner && ownerId ? linkTo(owner.kind, ownerId) : toHash('data', [name]));
  return (
    <RecordForm
      kind={kind}
      name={`new ${name} ${ownerId}`}
      start={startNew(kind, ownerId)}
      onDiscard={leave}
    />
  );
};

const startNew = ({ name, owner }: Kind, ownerId: string): Form => {
  const messages = [{ role: 'user', content: 'Hello, {{name}}!' }];
  if (name === 'prompts') return startForm({}, { id: 'prompt_new', messages }, true);
  return startForm({}, owner && ownerId ? { [owner.field]: ownerId } : {}, false);
};

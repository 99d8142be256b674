import { Stack } from '@mantine/core';
import { toJsonText } from '../../../core/util/json.ts';
import { type Kind, linkTo, recordsOf } from '../../kinds.ts';
import { useSchemas } from '../../openapi.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { useDraft, useQuery } from '../../use-query.ts';
import { toRecord, wholeRecord } from './field-values.ts';
import { Editor } from './fields.tsx';

/** A new record, written as JSON: `#/data/runs?new=run&owner=thread_demo`. Without an owner in the link, it gets the newest one. The text survives a reload. */
export const NewRecord = ({ kind: { name, singular, owner, example } }: { readonly kind: Kind }) => {
  const { owner: ownerId } = useRoute().query;
  const { value: newest } = useQuery(['owner', owner?.kind], async (own) =>
    owner ? await recordsOf(owner.kind, own).list({ limit: 1 }) : [],
  );
  const start = { ...(owner && { [owner.field]: ownerId ?? newest?.[0]?.id ?? '' }), ...example };
  const [text = toJsonText(start, 2), setText] = useDraft<string>(`new ${name}`);
  const fields = Object.keys(useSchemas(name) ?? {}).filter((field) => !(field in start));
  const create = async (): Promise<string> => {
    const { id } = await recordsOf(name).create(toRecord(text)); // the server checks it
    setText(undefined);
    go(linkTo(name, id));
    return `The ${singular} was created`;
  };
  const leave = (): void => {
    setText(undefined);
    go(owner && ownerId ? linkTo(owner.kind, ownerId) : toHash('data', [name]));
  };
  return (
    <Stack component="section" aria-label={`New ${singular}`}>
      <Editor
        field={wholeRecord}
        text={text}
        action="Create"
        note={`Fields that you leave out get generated values: ${fields.join(', ')}`}
        setText={setText}
        end={leave}
        run={create}
      />
    </Stack>
  );
};

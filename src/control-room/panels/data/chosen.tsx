import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { limits } from '../../../core/util/limits.ts';
import type { RecordQuery } from '../../../service/control/control-interface.ts';
import { Action } from '../../act.tsx';
import { Dialog } from '../../dialog.tsx';
import { type AnyRecord, type Kind, recordsOf } from '../../kinds.ts';
import { useSchemas } from '../../openapi.ts';
import { focusMain } from '../../route.ts';
import { countOf } from '../../text.tsx';
import { readForm, toFields } from './form.ts';
import { Input } from './inputs.tsx';
import { noteOf } from './record-form.tsx';

interface ChosenProps {
  readonly kind: Kind;
  readonly ids: readonly string[];
  readonly set: (ids: readonly string[]) => void;
  /** The filter of the list. */
  readonly matching: RecordQuery;
}

/** Deletes the chosen records, or sets a field of all of them: one change, which one undo takes back. */
export const Chosen = ({ kind, ids, set, matching }: ChosenProps) => {
  const fields = toFields(useSchemas(kind.name) ?? {}, {}).filter(
    ({ name }) => name !== 'id' && name !== kind.owner?.field,
  );
  const [{ name, draft }, setWritten] = useState<{ readonly name?: string; readonly draft?: string }>({});
  const [error, setError] = useState<string>();
  const field = fields.find((one) => one.name === (name ?? 'status')) ?? fields[0];
  const [isOpen, dialog] = useDisclosure();
  const records = recordsOf(kind.name);
  const count = countOf(ids.length, kind.singular, kind.name);
  const chooseAll = async (): Promise<void> =>
    set((await records.list({ ...matching, limit: limits.listed })).map(({ id }) => id));
  const remove = async (): Promise<void> => {
    await records.deleteMany(ids);
    set([]);
  };
  const change = async (): Promise<void> => {
    if (field === undefined || draft === undefined) return;
    const form = { base: {}, values: {}, drafts: { [field.name]: draft } };
    await records.updateMany(ids, readForm([field], form, false) as Partial<AnyRecord>); // the server checks it
    set([]);
    focusMain(); // the dialog and the button that opened it are removed
  };
  return (
    <Group
      gap="xs"
      justify="flex-end"
      className="data-save"
      data-written
      role="group"
      aria-label={`${count} chosen`}
    >
      <Text fw={500}>{count} chosen</Text>
      <Action run={chooseAll}>Choose all</Action>
      <Action run={() => set([])}>Choose none</Action>
      <Action Icon={IconTrash} run={remove} done={`Deleted ${count}`}>
        Delete {ids.length}
      </Action>
      {field && (
        <Action Icon={IconPencil} run={dialog.open}>
          Change
        </Action>
      )}
      {field && (
        <Dialog opened={isOpen} onClose={dialog.close} title={`Set a field of ${count}`}>
          <Stack gap="sm" align="flex-start">
            <NativeSelect
              label="Field"
              data={fields.map((one) => one.name)}
              value={field.name}
              onChange={({ currentTarget }) => setWritten({ name: currentTarget.value })}
            />
            <Input
              field={field}
              value={undefined}
              draft={draft}
              error={error}
              note={noteOf(kind, field.name, false)}
              isNew={false}
              known={field.name === 'status' ? kind.states : undefined}
              set={(text) => setWritten({ name: field.name, draft: text })}
            />
            <Action
              variant="filled"
              run={change}
              done={`Changed ${count}`}
              fail={setError}
              disabled={draft === undefined}
            >
              Change {ids.length}
            </Action>
          </Stack>
        </Dialog>
      )}
    </Group>
  );
};

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { toJsonText } from '../../../util/json.ts';
import type { Route } from '../../route.ts';
import type { Form } from './form.ts';
import type { Kind } from './kinds.ts';
import { RecordForm } from './record-form.tsx';
import { useForm } from './use-form.ts';

interface NewRecordProps {
  readonly kind: Kind;
  readonly route: Route;
  /** The owner that is filled in. */
  readonly owner: string | undefined;
}

/** A button that opens a form for a new record. Fields that are left out are seeded. */
export const NewRecord = ({ kind, route, owner }: NewRecordProps) => {
  const [form, setForm] = useForm(`new ${kind.name} ${owner ?? ''}`);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={button}
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        aria-expanded={form !== undefined}
        onClick={() => form === undefined && setForm(startOf(kind, owner))}
      >
        New {kind.singular}
      </Button>
      {form && (
        <RecordForm
          isNew
          kind={kind}
          route={route}
          record={undefined}
          form={form}
          setForm={setForm}
          onClose={() => button.current?.focus()}
        />
      )}
    </>
  );
};

const startOf = ({ name, owner }: Kind, ownerId: string | undefined): Form => {
  if (name !== 'prompts')
    return { base: {}, values: owner && ownerId ? { [owner.field]: ownerId } : {}, drafts: {} };
  const values = { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] };
  return { base: {}, values, drafts: {}, json: toJsonText(values, 2) };
};

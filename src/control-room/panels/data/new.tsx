import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Route } from '../../route.ts';
import { type Form, startForm } from './form.ts';
import type { Kind } from './kinds.ts';
import { RecordForm } from './record-form.tsx';
import { useForm } from './use-form.ts';

interface NewRecordProps {
  readonly kind: Kind;
  readonly route: Route;
  /** The owner that is filled in. */
  readonly owner: string | undefined;
}

/** A button that opens a form for a new record. */
export const NewRecord = ({ kind, route, owner }: NewRecordProps) => {
  const [form, setForm] = useForm(`new ${kind.name}`);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={button}
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        aria-expanded={form !== undefined}
        onClick={() => setForm(form ?? startNew(kind, owner))}
      >
        New {kind.singular}
      </Button>
      {form && (
        <RecordForm
          isNew
          kind={kind}
          route={route}
          form={form}
          setForm={setForm}
          onDiscard={() => button.current?.focus()}
        />
      )}
    </>
  );
};

const startNew = ({ name, owner }: Kind, ownerId: string | undefined): Form => {
  if (name === 'prompts')
    return startForm(
      {},
      { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] },
      true,
    );
  return startForm({}, owner && ownerId ? { [owner.field]: ownerId } : {}, false);
};

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Field } from '../fields.tsx';
import { Action, Failure } from '../parts.tsx';
import { texts } from '../texts.ts';
import { type AnyRecord, type KindInfo, type ListProps, linkTo, recordsOf } from './data-kinds.ts';
import { parseInput, useFields } from './data-schemas.ts';

const t = texts.data;

/** A button that opens a form for a new record. Fields that are left out are seeded. */
export const NewRecord = ({ kind, owner }: ListProps) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t.new(kind.singular)}
      </button>
      {isOpen && <NewForm kind={kind} owner={owner} close={close} />}
    </>
  );
};

const NewForm = ({ kind, owner = '', close }: ListProps & { readonly close: () => void }) => {
  const [draft, setDraft] = useState(() => toJsonText(startOf(kind, owner), 2));
  const [error, setError] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const names = Object.keys(useFields(kind.name) ?? {});
  useLayoutEffect(() => box.current?.focus(), []);
  const made = useRef('');
  const make = async (): Promise<void> => {
    const { id } = await recordsOf(kind.name).create(parseInput(draft) as AnyRecord); // the server checks it
    made.current = id;
    close();
    location.hash = linkTo(kind.name, id);
  };
  return (
    <form
      class="card stack data-new"
      aria-label={t.new(kind.singular)}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <Field label={t.fields} hint={kind.name === 'prompts' ? t.promptFields : t.seededFields(names)}>
        <textarea
          ref={box}
          class="mono"
          rows={Math.min(12, draft.split('\n').length + 1)}
          spellcheck={false}
          aria-invalid={error !== undefined}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </Field>
      <Failure message={error} />
      <div class="row">
        <Action
          run={make}
          fail={setError}
          class="main"
          done={texts.record.created(kind.singular)}
          undo={async () => () => recordsOf(kind.name).delete(made.current)}
        >
          {texts.common.create}
        </Action>
        <button type="button" onClick={close}>
          {texts.common.cancel}
        </button>
      </div>
    </form>
  );
};

const startOf = (kind: KindInfo, owner: string): object => {
  if (kind.name === 'prompts')
    return { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] };
  return kind.owner === undefined ? {} : { [kind.owner.field]: owner };
};

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { isMapping } from '../../util/mapping.ts';
import { Field } from '../fields.tsx';
import { Action, Failure } from '../parts.tsx';
import { texts } from '../texts.ts';
import { parseInput } from './data-drafts.ts';
import { type Drafts, type FormField, splitError, toDrafts, toFormFields, toValues } from './data-form.ts';
import { FormFields } from './data-form-fields.tsx';
import { type AnyRecord, type KindInfo, type ListProps, linkTo, recordsOf } from './data-kinds.ts';
import { type Fields, useFields } from './data-schemas.ts';

const t = texts.data;

/** A button that opens a form for a new record. Fields that are left out are seeded. */
export const NewRecord = ({ kind, owner }: ListProps) => {
  const [isOpen, setOpen] = useState(false);
  const fields = useFields(kind.name);
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
      {isOpen && fields && <NewForm kind={kind} owner={owner} schema={fields} close={close} />}
    </>
  );
};

const NewForm = ({
  kind,
  owner = '',
  schema,
  close,
}: ListProps & { readonly schema: Fields; readonly close: () => void }) => {
  const fields = formFieldsOf(kind, schema);
  const [drafts, setDrafts] = useState<Drafts>(() => toDrafts(fields, startOf(kind, owner)).drafts);
  /** Undefined while the form is shown. */
  const [json, setJson] = useState(fields.length === 0 ? toJsonText(startOf(kind, owner), 2) : undefined);
  const [error, setError] = useState<ReturnType<typeof splitError>>();
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(
    () => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(),
    [json === undefined],
  );
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [error]);
  const fail = (message: string | undefined): void =>
    setError(message === undefined ? undefined : splitError(json === undefined ? fields : [], message));
  const make = async (): Promise<void> => {
    const values = json === undefined ? toValues(fields, drafts) : parseInput(json);
    const { id } = await recordsOf(kind.name).create(values as AnyRecord); // the server checks it
    close();
    location.hash = linkTo(kind.name, id);
  };
  const toJson = async (): Promise<void> => setJson(toJsonText(toValues(fields, drafts), 2));
  const toForm = async (): Promise<void> => {
    const values = parseInput(json ?? '');
    if (!isMapping(values)) throw new Error(t.noObject);
    const { drafts, lost } = toDrafts(fields, values);
    if (lost.length > 0) throw new Error(t.notInForm(lost));
    setDrafts(drafts);
    setJson(undefined);
  };
  return (
    <form
      class="card stack data-new"
      ref={box}
      aria-label={t.new(kind.singular)}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {json === undefined ? (
        <>
          <p class="muted">{t.formLead}</p>
          <FormFields
            fields={fields}
            drafts={drafts}
            errors={error?.byPath ?? {}}
            empty={t.generated}
            set={(path, draft) => setDrafts((before) => ({ ...before, [path]: draft }))}
          />
        </>
      ) : (
        <Field
          label={t.fields}
          hint={kind.name === 'prompts' ? t.promptFields : t.seededFields(Object.keys(schema))}
        >
          <textarea
            class="mono"
            rows={Math.min(12, json.split('\n').length + 1)}
            spellcheck={false}
            aria-invalid={error !== undefined}
            value={json}
            onInput={(event) => setJson(event.currentTarget.value)}
          />
        </Field>
      )}
      <Failure message={error?.rest} />
      <div class="row">
        <Action
          type="submit"
          run={make}
          fail={fail}
          class="main"
          done={texts.record.created(kind.singular)}
          undo={1}
        >
          {texts.common.create}
        </Action>
        <button type="button" onClick={close}>
          {texts.common.cancel}
        </button>
        {fields.length > 0 && (
          <Action run={json === undefined ? toJson : toForm} fail={fail}>
            {json === undefined ? t.asJson : t.asForm}
          </Action>
        )}
      </div>
    </form>
  );
};

/** Empty if there is no schema, as for prompts: they are written as JSON. */
const formFieldsOf = (kind: KindInfo, schema: Fields): readonly FormField[] => {
  if (kind.name === 'prompts') return [];
  const required = kind.owner === undefined ? [] : [kind.owner.field];
  const { status } = schema;
  const states = kind.states && status && { status: { ...status, enum: kind.states } };
  return toFormFields({ properties: { ...schema, ...states }, required });
};

const startOf = (kind: KindInfo, owner: string): Readonly<Record<string, unknown>> => {
  if (kind.name === 'prompts')
    return { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] };
  return kind.owner === undefined ? {} : { [kind.owner.field]: owner };
};

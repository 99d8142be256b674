import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseJson, toJsonText } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';

import { Failure, formatTime, Json, notify, Status } from '../parts.tsx';
import { type AnyRecord, type KindInfo, kinds, linkTo, recordsOf } from './data-kinds.ts';
import { type FieldForm, type FieldSchema, formOf } from './data-schemas.ts';

/** The value of a field, for display. */
export const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  if (value === undefined) return <span class="muted">not given</span>;
  if (value === null) return <span class="muted">null</span>;
  if (name.endsWith('_at') && (typeof value === 'number' || typeof value === 'string'))
    return (
      <>
        <span class="time">{formatTime(value)}</span> <small class="mono">{value}</small>
      </>
    );
  const owner = kinds.find((kind) => kind.owner?.field === name)?.owner;
  if (owner !== undefined && typeof value === 'string')
    return (
      <a class="mono" href={linkTo(owner.kind, value)}>
        {value}
      </a>
    );
  if (name === 'status' && typeof value === 'string') return <Status status={value} />;
  if (typeof value === 'string')
    return value === '' ? <span class="muted">empty text</span> : <span class="data-text">{value}</span>;
  const text = toJsonText(value);
  return text.length > 60 ? <Json value={value} label={name} /> : <code>{text}</code>;
};

/** A field of a record, which can be edited in place. */
export const RecordField = ({
  kind,
  record,
  name,
  schema,
  canEdit,
  setDrafts,
}: {
  readonly kind: KindInfo;
  readonly record: AnyRecord;
  readonly name: string;
  readonly schema: FieldSchema | undefined;
  /** Not until the schema is known, and not after the record was deleted. */
  readonly canEdit: boolean;
  readonly setDrafts: (count: (before: number) => number) => void;
}) => {
  /** Undefined until it is first edited, so that opening a record does not move the focus. */
  const [isEdited, setEdited] = useState<boolean>();
  useEffect(() => {
    if (!isEdited) return undefined;
    setDrafts((before) => before + 1);
    return () => setDrafts((before) => before - 1);
  }, [isEdited]);
  const button = useRef<HTMLButtonElement>(null);
  const value = record[name];
  const isFixed = name === 'id' || name === kind.owner?.field || schema?.const !== undefined;
  const close = (): void => setEdited(false);
  useLayoutEffect(() => {
    if (isEdited === false) button.current?.focus();
  }, [isEdited]);
  const save = async (next: unknown): Promise<void> => {
    await recordsOf(kind.name).update(record.id, { [name]: next });
    notify(`${name} was changed`);
    close();
  };
  return (
    <div class="data-field">
      <dt>{name}</dt>
      <dd>
        {isEdited ? (
          <FieldEditor
            name={name}
            value={value}
            form={formOf(name, schema, value)}
            states={name === 'status' ? kind.states : undefined}
            save={save}
            cancel={close}
          />
        ) : (
          <>
            <div class="data-value">
              <Value name={name} value={value} />
            </div>
            {!isFixed && canEdit && (
              <button
                type="button"
                ref={button}
                class="plain"
                aria-label={`Edit ${name}`}
                onClick={() => setEdited(true)}
              >
                Edit
              </button>
            )}
          </>
        )}
      </dd>
    </div>
  );
};

const FieldEditor = ({
  name,
  value,
  form: formNow,
  states,
  save,
  cancel,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly form: FieldForm;
  /** Known states. The contract allows any text. */
  readonly states: readonly string[] | undefined;
  readonly save: (value: unknown) => Promise<void>;
  readonly cancel: () => void;
}) => {
  const [form] = useState(formNow); // what is being written is of the form that it began in
  const [draft, setDraft] = useState(() => toDraft(form, value));
  const [isNull, setNull] = useState(value === null && form.editor === 'text');
  const [isOther, setOther] = useState(typeof value === 'string' && !states?.includes(value));
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const errorId = useId();
  useLayoutEffect(
    () => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(),
    [isOther],
  );

  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      await save(isNull ? null : fromDraft(form, draft));
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (!isBusy) void submit();
  };
  const common = {
    'aria-label': `New value of ${name}`,
    'aria-invalid': error !== undefined,
    'aria-describedby': errorId,
    value: draft,
    disabled: isNull,
    onInput: (event: { currentTarget: { value: string } }) => setDraft(event.currentTarget.value),
  };
  return (
    <form
      class="data-edit"
      ref={box}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') cancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit(event);
      }}
    >
      {states !== undefined && !isOther ? (
        <select
          {...common}
          onInput={(event) =>
            event.currentTarget.value === '' ? setOther(true) : setDraft(event.currentTarget.value)
          }
        >
          {states.map((state) => (
            <option key={state}>{state}</option>
          ))}
          <option value="">another text …</option>
        </select>
      ) : (
        <Input form={form} common={common} draft={draft} />
      )}
      {form.isNullable && form.editor === 'text' && (
        <label class="row">
          <input
            type="checkbox"
            checked={isNull}
            onChange={(event) => setNull(event.currentTarget.checked)}
          />
          null
        </label>
      )}
      <div class="row">
        <button type="submit" class="main" aria-disabled={isBusy}>
          Save
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        <small>{hintOf(form, draft)}</small>
      </div>
      <div id={errorId}>
        <Failure message={error} />
      </div>
    </form>
  );
};

interface Common {
  readonly value: string;
  readonly disabled: boolean;
  readonly onInput: (event: { currentTarget: { value: string } }) => void;
}

const Input = ({
  form: { editor, isNullable, choices },
  common,
  draft,
}: {
  readonly form: FieldForm;
  readonly common: Common;
  readonly draft: string;
}): ComponentChildren => {
  switch (editor) {
    case 'choice':
    case 'switch':
      return (
        <select {...common}>
          {[...(editor === 'switch' ? [true, false] : choices), ...(isNullable ? [null] : [])].map(
            (choice) => (
              <option key={choice} value={toJsonText(choice)}>
                {String(choice)}
              </option>
            ),
          )}
        </select>
      );
    case 'number':
    case 'time':
      return <input {...common} inputMode={editor === 'number' ? 'decimal' : 'text'} autocomplete="off" />;
    case 'text':
      return draft.length > 60 || draft.includes('\n') ? (
        <textarea {...common} rows={6} />
      ) : (
        <input {...common} autocomplete="off" />
      );
    case 'json':
      return (
        <textarea
          {...common}
          class="mono"
          rows={Math.min(16, draft.split('\n').length + 1)}
          spellcheck={false}
        />
      );
  }
};

const toDraft = ({ editor, choices }: FieldForm, value: unknown): string => {
  if (editor === 'json') return value === undefined ? '' : toJsonText(value, 2);
  if (editor === 'choice') return toJsonText(value ?? choices[0] ?? null);
  if (editor === 'switch') return toJsonText(value ?? false);
  return value === undefined || value === null ? '' : String(value);
};

const fromDraft = ({ editor }: FieldForm, draft: string): unknown => {
  switch (editor) {
    case 'text':
      return draft;
    case 'time':
      return toTimestamp(draft);
    case 'number':
      return draft.trim() === '' ? null : Number.isNaN(Number(draft)) ? draft : Number(draft);
    default:
      try {
        return parseJson(draft);
      } catch (error) {
        throw new Error(`Invalid JSON: ${messageOf(error)}`);
      }
  }
};

/** Parses seconds or a date-time in UTC. Anything else is left to the server to refuse. */
const toTimestamp = (draft: string): unknown => {
  const text = draft.trim();
  if (text === '') return null;
  if (!Number.isNaN(Number(text))) return Number(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(time) ? draft : time;
};

const hintOf = ({ editor, isNullable }: FieldForm, draft: string): string => {
  const time = editor === 'time' ? toTimestamp(draft) : undefined;
  const parts = [
    editor === 'time' && 'Seconds since 1970, or a date-time in UTC.',
    typeof time === 'number' && `${formatTime(time)} = ${time}.`,
    editor === 'json' && 'JSON. Ctrl+Enter saves.',
    isNullable && (editor === 'number' || editor === 'time') && 'Empty: null.',
  ];
  return parts.filter(Boolean).join(' ');
};

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Options } from '../fields.tsx';
import { Name } from '../name.tsx';
import { Action, Failure, formatTime, Json, RecordLink, Status } from '../parts.tsx';
import { texts } from '../texts.ts';
import { type FieldForm, type FieldSchema, formOf, fromDraft, toDraft, toTimestamp } from './data-drafts.ts';
import { Input } from './data-input.tsx';
import { type AnyRecord, type KindInfo, kinds, recordsOf } from './data-kinds.ts';
import { undoRecord } from './record-changes.ts';

const t = texts.record;

/** The value of a field, for display. */
export const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  if (value === undefined) return <span class="muted">{t.notGiven}</span>;
  if (value === null) return <span class="muted">{t.null}</span>;
  if (name.endsWith('_at') && (typeof value === 'number' || typeof value === 'string'))
    return (
      <>
        <span class="time">{formatTime(value)}</span> <small class="mono">{value}</small>
      </>
    );
  if (typeof value === 'string') {
    const owner = kinds.find((kind) => kind.owner?.field === name)?.owner;
    if (owner !== undefined) return <RecordLink kind={owner.kind} id={value} />;
    if (name === 'status') return <Status status={value} />;
    return value === '' ? (
      <span class="muted">{t.emptyText}</span>
    ) : (
      <span class="data-text">
        <Name text={value} />
      </span>
    );
  }
  const text = toJsonText(value);
  return text.length > 60 ? (
    <Json value={value} label={name} />
  ) : (
    <code>
      <Name text={text} />
    </code>
  );
};

interface FieldProps {
  readonly kind: KindInfo;
  readonly record: AnyRecord;
  readonly name: string;
  readonly schema: FieldSchema | undefined;
  /** Called with changes of the number of fields being edited. */
  readonly setDrafts: (count: (before: number) => number) => void;
}

/**
 * A field of a record, which can be edited in place: not until the schema is known, and not after the record was
 * deleted.
 */
export const RecordField = ({ canEdit, ...field }: FieldProps & { readonly canEdit: boolean }) => {
  const { kind, record, name, schema } = field;
  /** Undefined until it is first edited, so that opening a record does not move the focus. */
  const [isEdited, setEdited] = useState<boolean>();
  const button = useRef<HTMLButtonElement>(null);
  const isFixed = name === 'id' || name === kind.owner?.field || schema?.const !== undefined;
  useLayoutEffect(() => {
    if (isEdited === false) button.current?.focus();
  }, [isEdited]);
  return (
    <div class="data-field">
      <dt>
        <Name text={name} />
      </dt>
      <dd>
        {isEdited ? (
          <FieldEditor {...field} close={() => setEdited(false)} />
        ) : (
          <>
            <div class="data-value">
              <Value name={name} value={record[name]} />
            </div>
            {!isFixed && canEdit && (
              <button
                type="button"
                ref={button}
                class="plain"
                aria-label={t.editOne(name)}
                onClick={() => setEdited(true)}
              >
                {t.edit}
              </button>
            )}
          </>
        )}
      </dd>
    </div>
  );
};

const FieldEditor = ({
  kind,
  record,
  name,
  schema,
  setDrafts,
  close,
}: FieldProps & { readonly close: () => void }) => {
  const value = record[name];
  // Known states. The contract allows any text.
  const states = name === 'status' ? kind.states : undefined;
  // What is being written is of the form that it began in.
  const [form] = useState(() => formOf(name, schema, value));
  const [draft, setDraft] = useState(() => toDraft(form, value));
  const [isNull, setNull] = useState(value === null && form.editor === 'text');
  const [isOther, setOther] = useState(typeof value === 'string' && !states?.includes(value));
  const [error, setError] = useState<string>();
  const box = useRef<HTMLFormElement>(null);
  const errorId = useId();
  useLayoutEffect(
    () => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(),
    [isOther],
  );
  useEffect(() => {
    setDrafts((before) => before + 1);
    return () => setDrafts((before) => before - 1);
  }, []);
  const save = async (): Promise<void> => {
    await recordsOf(kind.name).update(record.id, { [name]: isNull ? null : fromDraft(form, draft) });
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>('[type=submit]')?.click();
  };
  const common = {
    'aria-label': t.newValue(name),
    'aria-invalid': error !== undefined,
    'aria-describedby': errorId,
    value: draft,
    disabled: isNull,
    onInput: (event: { currentTarget: { value: string } }) => setDraft(event.currentTarget.value),
  };
  return (
    <form class="data-edit" ref={box} onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown}>
      {states !== undefined && !isOther ? (
        <select
          {...common}
          onInput={(event) =>
            event.currentTarget.value === '' ? setOther(true) : setDraft(event.currentTarget.value)
          }
        >
          <Options of={[...states, ['', t.otherText]]} />
        </select>
      ) : (
        <Input form={form} {...common} />
      )}
      {form.isNullable && form.editor === 'text' && (
        <label class="row">
          <input
            type="checkbox"
            checked={isNull}
            onChange={(event) => setNull(event.currentTarget.checked)}
          />
          {t.null}
        </label>
      )}
      <div class="row">
        <Action
          type="submit"
          class="main"
          run={save}
          fail={setError}
          done={t.changed(name)}
          undo={undoRecord(kind.name, record.id)}
        >
          {t.save}
        </Action>
        <button type="button" onClick={close}>
          {texts.common.cancel}
        </button>
        <small>{hintOf(form, draft)}</small>
      </div>
      <div id={errorId}>
        <Failure message={error} />
      </div>
    </form>
  );
};

const hintOf = ({ editor, isNullable }: FieldForm, draft: string): string => {
  const time = editor === 'time' ? toTimestamp(draft) : undefined;
  const parts = [
    editor === 'time' && t.timeHint,
    typeof time === 'number' && t.timeIs(formatTime(time), time),
    editor === 'json' && t.jsonHint,
    isNullable && (editor === 'number' || editor === 'time') && t.nullHint,
  ];
  return parts.filter(Boolean).join(' ');
};

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Options } from '../fields.tsx';
import { Name } from '../name.tsx';
import { Failure, formatTime, Json, RecordLink, Status } from '../parts.tsx';
import { texts } from '../texts.ts';
import { type FieldForm, formOf, fromDraft, toDraft, toTimestamp } from './data-drafts.ts';
import { EditForm, type EditProps } from './data-edit.tsx';
import { toGroup } from './data-form.ts';
import { GroupEditor } from './data-group.tsx';
import { Input } from './data-input.tsx';
import { kinds } from './data-kinds.ts';

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

/**
 * A field of a record, which can be edited in place: not until the schema is known, and not after the record was
 * deleted.
 */
export const RecordField = ({
  canEdit,
  ...field
}: Omit<EditProps, 'close' | 'opened'> & { readonly canEdit: boolean }) => {
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

/** A nested object is edited field by field, if the form has a place for all of it. */
const FieldEditor = (given: Omit<EditProps, 'opened'>) => {
  const { name, schema, record } = given;
  const opened = useRef(toJsonText(record[name]));
  const props: EditProps = { ...given, opened };
  const [group, setGroup] = useState(() => toGroup(name, schema, record[name]));
  const [value, setValue] = useState(record[name]);
  if (group === undefined) return <OneEditor {...props} value={value} />;
  const toJson = (written: unknown): void => {
    setValue(written);
    setGroup(undefined);
  };
  return <GroupEditor {...props} group={group} toJson={toJson} />;
};

const OneEditor = ({ value, ...props }: EditProps & { readonly value: unknown }) => {
  const { kind, name, schema } = props;
  // Known states. The contract allows any text.
  const states = name === 'status' ? kind.states : undefined;
  // What is being written is of the form that it began in.
  const [form] = useState(() => formOf(name, schema, value));
  const [draft, setDraft] = useState(() => toDraft(form, value));
  const [isNull, setNull] = useState(value === null && form.editor === 'text');
  const [isOther, setOther] = useState(typeof value === 'string' && !states?.includes(value));
  const [error, setError] = useState<string>();
  const errorId = useId();
  const common = {
    'aria-label': t.newValue(name),
    'aria-invalid': error !== undefined,
    'aria-describedby': errorId,
    value: draft,
    disabled: isNull,
    onInput: (event: { currentTarget: { value: string } }) => setDraft(event.currentTarget.value),
  };
  return (
    <EditForm
      {...props}
      read={() => (isNull ? null : fromDraft(form, draft))}
      fail={setError}
      focusOn={isOther}
      beside={<small>{hintOf(form, draft)}</small>}
      below={
        <div id={errorId}>
          <Failure message={error} />
        </div>
      }
    >
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
    </EditForm>
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

import { Group, Text, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { toJsonText } from '../../../core/util/json.ts';
import type { Mapping } from '../../../core/util/mapping.ts';
import { Action } from '../../act.tsx';
import { Json } from '../../code.tsx';
import type { RecordProps } from '../../kinds.ts';
import { useSchemas } from '../../openapi.ts';
import { Choice, fieldError, Note, Tabbed } from '../../parts.tsx';
import { countOf, Foreign, formatAway, isolate } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useDraft } from '../../use-query.ts';
import {
  changedNames,
  type Field,
  isEmpty,
  toFields,
  toLine,
  toRecord,
  toText,
  toValue,
  wholeRecord,
} from './field-values.ts';

/** A field that is being edited. This tab of the browser keeps it. */
interface Edit {
  /** Empty for the record as JSON. */
  readonly name: string;
  readonly text: string;
  /** The record as it was when the edit began. */
  readonly base: Mapping;
}

interface FieldsProps extends RecordProps {
  /** Saves the fields that were edited. Returns what to say of it. */
  readonly save: (changed: Mapping, base: Mapping) => Promise<string>;
}

/** The fields of a record, each edited in its place, the empty ones folded; or all as JSON. */
export const Fields = ({ kind, record, save }: FieldsProps) => {
  const schemas = useSchemas(kind.name);
  const [edit, setEdit] = useDraft<Edit>(`${kind.name}/${record.id}`);
  const [isUnfolded, setUnfolded] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (edit === undefined && last.current !== undefined)
      box.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(last.current)}"]`)?.focus();
    last.current = edit?.name;
  }, [edit?.name]);
  if (schemas === undefined) return null;
  const fields = toFields(kind, schemas, record);
  const empty = fields.filter(({ name }) => isEmpty(record[name]) && edit?.name !== name);
  const begin = (field: Field): void =>
    setEdit({
      name: field.name,
      text: toText(field, field === wholeRecord ? record : record[field.name]),
      base: record,
    });
  const saveEdit = async (field: Field, { text, base }: Edit): Promise<string> => {
    const changed = field === wholeRecord ? toRecord(text) : { [field.name]: toValue(field, text) };
    const names = changedNames(base, { ...base, ...changed });
    const message = await save(Object.fromEntries(names.map((name) => [name, changed[name]])), base);
    setEdit((now) => (now?.text === text ? undefined : now)); // what was typed meanwhile stays
    return message;
  };
  /** The editor of a field, or what is shown of it while it is not edited. */
  const show = (field: Field, shown: ReactNode): ReactNode =>
    edit?.name === field.name ? (
      <Editor
        field={field}
        text={edit.text}
        action="Save"
        note={kind.isLiving && field.name !== 'status' ? 'Then the clock no longer changes it.' : ''}
        setText={(text) => setEdit({ ...edit, text })}
        end={() => setEdit(undefined)}
        run={() => saveEdit(field, edit)}
      />
    ) : (
      shown
    );
  return (
    <div ref={box}>
      <Tabbed
        tabs={{
          Fields: (
            <dl className="facts fields">
              {fields
                .filter((field) => isUnfolded || !empty.includes(field))
                .map((field) => (
                  <Fragment key={field.name}>
                    <dt className="mono">{isolate(field.name)}</dt>
                    <dd>
                      {show(
                        field,
                        <UnstyledButton
                          className="field cut"
                          data-field={field.name}
                          title={isolate(`Edit ${field.name}`)}
                          onClick={() => begin(field)}
                        >
                          <Value field={field} value={record[field.name]} />
                        </UnstyledButton>,
                      )}
                    </dd>
                  </Fragment>
                ))}
              {empty.length > 0 && (
                <>
                  <dt>
                    <UnstyledButton
                      c="var(--mantine-color-anchor)"
                      aria-expanded={isUnfolded}
                      onClick={() => setUnfolded(!isUnfolded)}
                    >
                      {isUnfolded ? 'Hide empty fields' : countOf(empty.length, 'empty field')}
                    </UnstyledButton>
                  </dt>
                  <dd className="field cut dimmed">
                    {!isUnfolded && empty.map(({ name }) => isolate(name)).join(', ')}
                  </dd>
                </>
              )}
            </dl>
          ),
          JSON: show(
            wholeRecord,
            <>
              <Json value={record} label="The record as JSON" />
              <Action text="Edit as JSON" m="xs" run={() => begin(wholeRecord)} data-field="" />
            </>,
          ),
        }}
      />
    </div>
  );
};

const Value = ({ field, value }: { readonly field: Field; readonly value: unknown }) => {
  const now = useNow()?.seconds ?? 0;
  const away = typeof value === 'number' && field.editor === 'time' && value - now;
  return (
    <>
      <span className={typeof value === 'string' || away !== false ? undefined : 'mono'}>
        <Foreign text={toLine(field, value)} />
      </span>
      {away !== false && (
        <Text span size="xs" c="dimmed" ml={8}>
          {String(value)}, {formatAway(away)}
        </Text>
      )}
    </>
  );
};

interface EditorProps {
  readonly field: Field;
  readonly text: string;
  /** What its button says. */
  readonly action: string;
  readonly note: string;
  readonly setText: (text: string) => void;
  readonly end: () => void;
  /** Saves, and returns the message. */
  readonly run: () => Promise<string>;
}

/** The input for a field, with its buttons. Enter saves; in JSON, Ctrl+Enter. Escape ends the edit. */
export const Editor = ({ field, text, action, note, setText, end, run }: EditorProps) => {
  const { name, editor, choices } = field;
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  const input = {
    autoFocus: true,
    'aria-label': name === '' ? 'The record as JSON' : isolate(name),
    value: text,
    error: fieldError(error?.replace(/^Failed to update the \w+ ".*?": /s, '')),
    flex: '1 1 240px',
    onChange: (event: { readonly currentTarget: { readonly value: string } }): void =>
      setText(event.currentTarget.value),
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={getHotkeyHandler([
        ['mod+Enter', () => form.current?.querySelector<HTMLElement>('[type=submit]')?.click()],
        ['Escape', end],
      ])}
    >
      <Group gap={6} align="flex-start">
        {editor === 'choice' ? (
          <Choice
            {...input}
            choices={choices.map((choice) => [toJsonText(choice), String(choice)])}
            choose={setText}
          />
        ) : editor === 'json' || text.length > 60 ? (
          <Textarea {...input} autosize maxRows={name === '' ? 30 : 12} classNames={{ input: 'mono' }} />
        ) : (
          <TextInput {...input} placeholder={editor === 'time' ? 'Seconds, or a date-time in UTC' : ''} />
        )}
        <Action text={action} type="submit" variant="filled" run={run} done={String} fail={setError} />
        <Action text="Cancel" variant="subtle" run={end} />
        <Note>{note}</Note>
      </Group>
    </form>
  );
};

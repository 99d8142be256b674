import {
  Autocomplete,
  Group,
  NativeSelect,
  Tabs,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { toJsonText } from '../../../core/util/json.ts';
import type { Mapping } from '../../../core/util/mapping.ts';
import { Action } from '../../act.tsx';
import { Json } from '../../json.tsx';
import type { Kind } from '../../kinds.ts';
import { useSchemas } from '../../openapi.ts';
import { fieldError } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { countOf, Foreign, formatSpan, isolate } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useKept } from '../../use-kept.ts';
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

/** A field that is being edited. */
export interface Edit {
  /** Empty for the record as JSON. */
  readonly name: string;
  readonly text: string;
  /** The record as it was when the edit began. */
  readonly base: Mapping;
}

/** What is being edited of a record: this tab of the browser keeps it. */
export const useEdit = (kind: Kind, id: string) => useKept<Edit>(`${kind.name}/${id}`);

interface FieldsProps {
  readonly kind: Kind;
  /** Of the record; `new` for one that is not created yet. */
  readonly id: string;
  readonly record: Mapping;
  /** Saves the fields that were edited. Returns what to say of it, if anything. */
  readonly save: (changed: Mapping, base: Mapping) => Promise<string> | undefined;
  /** Shown beside the tabs. */
  readonly children?: ReactNode;
}

/** The fields of a record, each edited in its place, or all as JSON. Empty ones are folded. */
export const Fields = ({ kind, id, record, save, children }: FieldsProps) => {
  const schemas = useSchemas(kind.name);
  const [edit, setEdit] = useEdit(kind, id);
  const { tab = 'fields' } = useRoute().query;
  const isNew = id === 'new';
  const [isUnfolded, setUnfolded] = useState(isNew);
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (edit === undefined && last.current !== undefined)
      box.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(last.current)}"]`)?.focus();
    last.current = edit?.name;
  }, [edit?.name]);
  if (schemas === undefined) return null;
  const fixed = isNew ? [] : ['id', kind.owner?.field];
  const owner = isNew && kind.owner ? { [kind.owner.field]: { type: 'string' } } : {};
  const fields = toFields({ ...owner, ...schemas }, record).filter(({ name }) => !fixed.includes(name));
  const empty = fields.filter(({ name }) => isEmpty(record[name]) && edit?.name !== name);
  const begin = (field: Field): void =>
    setEdit({
      name: field.name,
      text: toText(field, field === wholeRecord ? record : record[field.name]),
      base: record,
    });
  const editor = (field: Field) =>
    edit && (
      <Editor
        key={field.name}
        kind={kind}
        field={field}
        edit={edit}
        isNew={isNew}
        setText={(text) => setEdit({ ...edit, text })}
        end={() => setEdit(undefined)}
        run={async () => {
          const changed =
            field === wholeRecord ? toRecord(edit.text) : { [field.name]: toValue(field, edit.text) };
          const names = changedNames(edit.base, { ...edit.base, ...changed });
          const message = await save(
            Object.fromEntries(names.map((name) => [name, changed[name]])),
            edit.base,
          );
          setEdit((now) => (now?.text === edit.text ? undefined : now)); // what was typed meanwhile stays
          return message;
        }}
      />
    );
  return (
    <Tabs value={tab} onChange={(chosen) => setQuery({ tab: chosen === 'json' ? chosen : '' })} ref={box}>
      <Group gap="md" pr="md" wrap="nowrap">
        <Tabs.List px="xs" flex={1}>
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        {children}
      </Group>
      <Tabs.Panel value="fields">
        <dl className="facts fields">
          {fields
            .filter((field) => isUnfolded || !empty.includes(field))
            .map((field) => (
              <Fragment key={field.name}>
                <dt className="mono">{isolate(field.name)}</dt>
                <dd>
                  {edit?.name === field.name ? (
                    editor(field)
                  ) : (
                    <UnstyledButton
                      className="field"
                      data-field={field.name}
                      title={isolate(`Edit ${field.name}`)}
                      onClick={() => begin(field)}
                    >
                      <Value field={field} value={record[field.name]} isNew={isNew} />
                    </UnstyledButton>
                  )}
                </dd>
              </Fragment>
            ))}
          {empty.length > 0 && !isNew && (
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
              <dd className="field dimmed">
                {!isUnfolded && empty.map(({ name }) => isolate(name)).join(', ')}
              </dd>
            </>
          )}
        </dl>
      </Tabs.Panel>
      <Tabs.Panel value="json" p="md">
        {edit?.name === '' ? (
          editor(wholeRecord)
        ) : (
          <>
            <Json value={record} label="The record as JSON" />
            <Action mt="xs" run={() => begin(wholeRecord)} data-field="">
              Edit as JSON
            </Action>
          </>
        )}
      </Tabs.Panel>
    </Tabs>
  );
};

interface ValueProps {
  readonly field: Field;
  readonly value: unknown;
  readonly isNew: boolean;
}

const Value = ({ field, value, isNew }: ValueProps) => {
  const now = useNow()?.seconds ?? 0;
  if (isEmpty(value))
    return <span className="dimmed">{isNew ? 'generated' : toJsonText(value ?? null)}</span>;
  const away = typeof value === 'number' && field.editor === 'time' && value - now;
  return (
    <>
      <span className={typeof value === 'string' || away !== false ? undefined : 'mono'}>
        <Foreign text={toLine(field, value)} />
      </span>
      {away !== false && (
        <Text span size="xs" c="dimmed" ml={8}>
          {String(value)}, {away > 0 ? `in ${formatSpan(away)}` : `${formatSpan(away)} ago`}
        </Text>
      )}
    </>
  );
};

interface EditorProps {
  readonly kind: Kind;
  readonly field: Field;
  readonly edit: Edit;
  readonly setText: (text: string) => void;
  readonly end: () => void;
  readonly run: () => Promise<string | undefined>;
  readonly isNew: boolean;
}

/** The input for a field, with its buttons. Enter saves; in JSON, Ctrl+Enter. Escape ends the edit. */
const Editor = ({ kind, field, edit, setText, end, run, isNew }: EditorProps) => {
  const [error, setError] = useState<string>();
  const box = useRef<HTMLFormElement>(null);
  const message = useRef<string>(undefined);
  const { name, editor, choices, isNullable } = field;
  useEffect(() => {
    if (error !== undefined) box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  const common = {
    autoFocus: true,
    'aria-label': name === '' ? 'The record as JSON' : isolate(name),
    value: edit.text,
    error: fieldError(error?.replace(/^Failed to (?:create|update) the [\w -]+(?: ".*?")?: /s, '')),
    autoComplete: 'off',
  };
  const onChange = (event: { readonly currentTarget: { readonly value: string } }): void =>
    setText(event.currentTarget.value);
  const options = [...choices, ...(isNullable ? [null] : [])].map((choice) => ({
    value: toJsonText(choice),
    label: String(choice),
  }));
  const isLong = /instructions|description/.test(name) || edit.text.length > 60;
  return (
    <form
      ref={box}
      className="editor"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={getHotkeyHandler([
        ['mod+Enter', () => box.current?.querySelector<HTMLElement>('[type=submit]')?.click()],
        ['Escape', end],
      ])}
    >
      {editor === 'choice' ? (
        <NativeSelect {...common} data={options} onChange={onChange} />
      ) : name === 'status' ? (
        <Autocomplete {...common} data={kind.states ?? []} onChange={setText} />
      ) : editor === 'json' || isLong ? (
        <Textarea
          {...common}
          autosize
          maxRows={name === '' ? 30 : 12}
          classNames={{ input: 'mono' }}
          onChange={onChange}
        />
      ) : (
        <TextInput
          {...common}
          placeholder={editor === 'time' ? 'Seconds, or a date-time in UTC' : ''}
          onChange={onChange}
        />
      )}
      <Action
        type="submit"
        variant="filled"
        run={async () => {
          message.current = await run();
        }}
        done={isNew ? undefined : () => message.current ?? ''}
        fail={setError}
      >
        Save
      </Action>
      <Action variant="subtle" run={end}>
        Keep
      </Action>
      {kind.states && !isNew && (
        <Text size="xs" c="dimmed">
          {name === 'status' && 'Changes this field alone. '}Then the clock no longer changes it.
        </Text>
      )}
    </form>
  );
};

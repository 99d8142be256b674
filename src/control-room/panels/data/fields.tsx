import { Group, NativeSelect, Tabs, Text, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { Fragment, useEffect, useRef, useState } from 'react';
import { toJsonText } from '../../../core/util/json.ts';
import type { Mapping } from '../../../core/util/mapping.ts';
import { Action } from '../../act.tsx';
import { Json } from '../../json.tsx';
import type { AnyRecord, Kind } from '../../kinds.ts';
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

/** A field that is being edited. This tab of the browser keeps it. */
interface Edit {
  /** Empty for the record as JSON. */
  readonly name: string;
  readonly text: string;
  /** The record as it was when the edit began. */
  readonly base: Mapping;
}

interface FieldsProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
  /** Saves the fields that were edited. Returns what to say of it. */
  readonly save: (changed: Mapping, base: Mapping) => Promise<string>;
}

/** The fields of a record, each edited in its place, or all as JSON. Empty ones are folded. */
export const Fields = ({ kind, record, save }: FieldsProps) => {
  const schemas = useSchemas(kind.name);
  const [edit, setEdit] = useKept<Edit>(`${kind.name}/${record.id}`);
  const { tab = 'fields' } = useRoute().query;
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
  const editor = (field: Field) =>
    edit && (
      <Editor
        key={field.name}
        kind={kind}
        field={field}
        text={edit.text}
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
      <Tabs.List px="xs">
        <Tabs.Tab value="fields">Fields</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
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
                      <Value field={field} value={record[field.name]} />
                    </UnstyledButton>
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
          {String(value)}, {away > 0 ? `in ${formatSpan(away)}` : `${formatSpan(away)} ago`}
        </Text>
      )}
    </>
  );
};

interface EditorProps {
  readonly kind: Kind;
  readonly field: Field;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly end: () => void;
  /** Saves, and returns the message. */
  readonly run: () => Promise<string>;
}

/** The input for a field, with its buttons. Enter saves; in JSON, Ctrl+Enter. Escape ends the edit. */
const Editor = ({ kind, field: { name, editor, choices }, text, setText, end, run }: EditorProps) => {
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const message = useRef('');
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  const input = {
    autoFocus: true,
    'aria-label': name === '' ? 'The record as JSON' : isolate(name),
    value: text,
    error: fieldError(error?.replace(/^Failed to update the \w+ ".*?": /s, '')),
    autoComplete: 'off',
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
          <NativeSelect
            {...input}
            data={choices.map((choice) => ({ value: toJsonText(choice), label: String(choice) }))}
          />
        ) : editor === 'json' || text.length > 60 ? (
          <Textarea {...input} autosize maxRows={name === '' ? 30 : 12} classNames={{ input: 'mono' }} />
        ) : (
          <TextInput {...input} placeholder={editor === 'time' ? 'Seconds, or a date-time in UTC' : ''} />
        )}
        <Action
          type="submit"
          variant="filled"
          run={async () => {
            message.current = await run();
          }}
          done={() => message.current}
          fail={setError}
        >
          Save
        </Action>
        <Action variant="subtle" run={end}>
          Keep
        </Action>
        {kind.isLiving && name !== 'status' && (
          <Text size="xs" c="dimmed">
            Then the clock no longer changes it.
          </Text>
        )}
      </Group>
    </form>
  );
};

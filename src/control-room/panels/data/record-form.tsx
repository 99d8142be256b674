import { Alert, Group, Paper, SimpleGrid, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { toJsonText } from '../../../core/util/json.ts';
import type { Mapping } from '../../../core/util/mapping.ts';
import { Action, act } from '../../act.tsx';
import { type AnyRecord, type Kind, linkTo, recordsOf } from '../../kinds.ts';
import { useSchemas } from '../../openapi.ts';
import { go, setQuery, useRoute } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useKept } from '../../use-kept.ts';
import { changedNames, type Form, readForm, splitError, startForm, toFields, whole } from './form.ts';
import { Input } from './inputs.tsx';

interface RecordFormProps {
  readonly kind: Kind;
  /** Identifies the form: the browser keeps what was typed under this name. */
  readonly name: string;
  /** What a new record starts with. */
  readonly start?: Form;
  /** The record as it is now; undefined for a new or a deleted one. */
  readonly record?: AnyRecord | undefined;
  /** Called when the form of a new or deleted record is discarded. */
  readonly onDiscard: () => void;
  /** Shown beside the title. */
  readonly children?: ReactNode;
}

/** A record, or a new one, as fields or as JSON. Ctrl+Enter saves what was typed, as one change. */
export const RecordForm = (props: RecordFormProps) => {
  const { kind, name, start, record, onDiscard, children } = props;
  const { view } = useRoute().query;
  const isNew = start !== undefined;
  const [kept, setForm] = useKept<Form>(name);
  const schemas = useSchemas(kind.name);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [saved, setSaved] = useState<{ readonly before: AnyRecord | undefined; readonly after: AnyRecord }>();
  const box = useRef<HTMLFormElement>(null);
  const overwritten = useRef<readonly string[]>([]);
  // Until the record is loaded again, it is what the server has returned.
  const present: Mapping = (saved?.before === record ? saved?.after : record) ?? {};
  const given = kept && isWrittenIn(kept) ? kept : start;
  const form = given ?? startForm(present, present, false);
  const isJson = given ? whole.name in given.drafts : view === 'json';
  const { base, values, drafts } = form;
  const fixed = isNew ? [] : ['id', kind.owner?.field];
  const required = isNew && kind.owner ? { [kind.owner.field]: { type: 'string' } } : {}; // comes first
  const fields = isJson
    ? [whole]
    : toFields({ ...required, ...schemas }, values).filter(({ name }) => !fixed.includes(name));
  const canSave = isNew || given !== undefined;
  useLayoutEffect(() => {
    if (isNew) box.current?.querySelector<HTMLElement>('[data-field]')?.focus();
  }, [isJson, schemas === undefined]);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors]);

  const read = (): Mapping => readForm(fields, form, isNew);
  const fail = (message: string | undefined): void =>
    setErrors(message === undefined ? {} : splitError(fields, message));
  const records = recordsOf(kind.name);
  const create = async (): Promise<void> => {
    const { id } = await records.create(read() as AnyRecord); // the server checks it
    setForm(undefined);
    go(linkTo(kind.name, id));
  };
  const update = async (): Promise<void> => {
    const [id, mine] = [String(base.id), read()];
    const names = changedNames(base, mine);
    const removed = names.filter((name) => !Object.hasOwn(mine, name));
    if (removed.length > 0)
      throw new Error(`Fields cannot be removed: ${removed.join(', ')}. Set them to null instead.`);
    const found: Mapping = { ...(await records.get(id)) };
    // What somebody else has written in the same fields meanwhile.
    overwritten.current = changedNames(base, found)
      .filter((name) => names.includes(name) && changedNames(found, mine).includes(name))
      .map((name) => `${name}: ${toJsonText(found[name])}`);
    const changed = Object.fromEntries(names.map((name) => [name, mine[name]]));
    const after = await records.update(id, changed);
    setSaved({ before: record, after });
    setForm((now) => {
      // What was typed while it was saved stays.
      const later = Object.entries(now?.drafts ?? {}).filter(([path, text]) => text !== drafts[path]);
      return later.length === 0
        ? undefined
        : { base: after, values: after, drafts: Object.fromEntries(later) };
    });
  };
  const discard = async (): Promise<void> => {
    setForm(undefined);
    fail(undefined);
    if (record === undefined) onDiscard();
  };
  const show = async (asJson: boolean): Promise<void> => {
    if (given) setForm(startForm(base, read(), asJson));
    setQuery({ view: asJson ? 'json' : '' });
  };
  const submit = (): HTMLElement | null | undefined =>
    box.current?.querySelector<HTMLElement>('[type=submit]');
  const hint = isNew
    ? 'Fields that you leave empty get generated values.'
    : kind.states &&
      `If you edit this ${kind.singular}, the clock no longer changes it. Revert it under Scenario to undo that.`;
  const title = isNew ? `New ${kind.singular}` : 'Fields';
  if (record === undefined && given === undefined) return null;
  if (schemas === undefined) return <Skeleton height={160} animate={false} />;
  return (
    <Paper
      component="form"
      w="100%"
      ref={box}
      aria-label={title}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={getHotkeyHandler([['mod+Enter', () => submit()?.click()]])}
    >
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h2">
            {title}
          </Title>
          <Group gap="sm">
            {children}
            <Switch
              label="As JSON"
              checked={isJson}
              onChange={({ currentTarget: { checked } }) => void act({ run: () => show(checked), fail })}
            />
          </Group>
        </Group>
        {record === undefined && !isNew ? (
          <Text role="alert" c="red">
            The record was deleted while you edited it, so you cannot save. Copy what you typed.
          </Text>
        ) : (
          hint && <Text c="dimmed">{hint}</Text>
        )}
        <SimpleGrid cols={isJson ? 1 : { base: 1, sm: 2, xl: 3 }} verticalSpacing="sm">
          {fields.map((field) => (
            <Input
              key={field.name}
              field={field}
              value={field === whole ? values : values[field.name]}
              draft={drafts[field.name]}
              error={errors[field.name]}
              note={noteOf(kind, field.name, isNew)}
              isNew={isNew}
              known={field.name === 'status' ? kind.states : undefined}
              set={(draft) => setForm({ ...form, drafts: { ...drafts, [field.name]: draft } })}
            />
          ))}
        </SimpleGrid>
        <Stack gap="xs" className="data-save" data-written={canSave}>
          {!isJson && errors[whole.name] && (
            <Alert color="red" role="alert" p="xs">
              <Foreign text={errors[whole.name] ?? ''} />
            </Alert>
          )}
          <Group gap="xs" justify="flex-end">
            <Action
              type="submit"
              variant="filled"
              disabled={!canSave}
              run={isNew ? create : update}
              fail={fail}
              done={() =>
                overwritten.current.length === 0
                  ? `The ${kind.singular} was ${isNew ? 'created' : 'changed'}`
                  : `The ${kind.singular} was changed. This overwrote what somebody else wrote meanwhile: ${overwritten.current.join(', ')}`
              }
            >
              {isNew ? 'Create' : 'Save'}
            </Action>
            <Action disabled={!canSave} run={discard}>
              {isNew ? 'Cancel' : 'Discard'}
            </Action>
          </Group>
        </Stack>
      </Stack>
    </Paper>
  );
};

const isWrittenIn = ({ base, values, drafts }: Form): boolean =>
  Object.keys(drafts).length > 0 || changedNames(base, values).length > 0;

/** The explanation of a field. */
export const noteOf = ({ states, owner }: Kind, field: string, isNew: boolean): string | undefined => {
  if (isNew) return field === owner?.field ? 'Required.' : undefined;
  if (states === undefined || field !== 'status') return undefined;
  return 'Changes this field alone. Complete, Fail and the others also set what the status implies.';
};

import {
  Alert,
  Button,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { toJsonText } from '../../../util/json.ts';
import type { Mapping } from '../../../util/mapping.ts';
import { Action } from '../../action.tsx';
import { type AnyRecord, linkTo, recordsOf } from '../../kinds.ts';
import { act } from '../../notify.tsx';
import { go, type Route, setQuery } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { Compare } from './compare.tsx';
import { changedNames, type Field, type Form, readAt, readForm, splitError, toFields } from './form.ts';
import { Input } from './inputs.tsx';
import type { Kind } from './kinds.ts';
import { useSchemas } from './schemas.ts';

interface RecordFormProps {
  readonly kind: Kind;
  readonly route: Route;
  /** The record as it is now; undefined for a new or a deleted one. */
  readonly record: AnyRecord | undefined;
  /** What was written; undefined if nothing was. */
  readonly form: Form | undefined;
  readonly setForm: (form: Form | undefined) => void;
  readonly isNew?: boolean;
  /** Called when what was written is saved or discarded, to move the focus. */
  readonly onClose: () => void;
  /** Stands in the head. */
  readonly children?: ReactNode;
}

/** A record, or a new one, as fields or as JSON. What is written is saved by Ctrl+Enter, as one change. */
export const RecordForm = (props: RecordFormProps) => {
  const { kind, route, record, setForm, isNew = false, onClose, children } = props;
  const schemas = useSchemas(kind.name);
  const [error, setError] = useState<ReturnType<typeof splitError>>();
  const box = useRef<HTMLFormElement>(null);
  const present = record ?? {};
  const isJson = props.form === undefined ? route.query.view === 'json' : props.form.json !== undefined;
  const form: Form = props.form ?? {
    base: present,
    values: present,
    drafts: {},
    ...(isJson && { json: toJsonText(present, 2) }),
  };
  const { base, values, drafts, json } = form;
  const fields = useMemo(() => {
    const required = isNew && kind.owner ? [kind.owner.field] : [];
    const all = toFields({ properties: schemas ?? {}, required }, values);
    const fixed = isNew ? [] : ['id', kind.owner?.field];
    return all.filter(({ path }) => !fixed.includes(path)).sort((a, b) => orderOf(a) - orderOf(b));
  }, [schemas, values, isNew, kind]);
  useLayoutEffect(() => {
    if (isNew) box.current?.querySelector<HTMLElement>('[data-path]')?.focus();
  }, [isJson, schemas === undefined]);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [error]);

  const read = (): Mapping => readForm(fields, form, isNew);
  const fail = (message: string | undefined): void =>
    setError(message === undefined ? undefined : splitError(isJson ? [] : fields, message));
  const close = (): void => {
    setForm(undefined);
    fail(undefined);
    onClose();
  };
  const records = recordsOf(kind.name);
  const create = async (): Promise<void> => {
    const { id } = await records.create(read() as AnyRecord); // the server checks it
    close();
    go(linkTo(kind.name, id));
  };
  const update = async (): Promise<void> => {
    const [id, mine] = [String(base.id), read()];
    const names = changedNames(base, mine);
    const removed = names.filter((name) => !Object.hasOwn(mine, name));
    if (removed.length > 0)
      throw new Error(`Fields cannot be removed: ${removed.join(', ')}. Set them to null instead.`);
    const ifVersion = await records.version(id); // before the record: a change in between is refused
    const theirs: Mapping = { ...(await records.get(id)) };
    if (changedNames(base, theirs).some((name) => ifVersion !== undefined && names.includes(name)))
      throw new Error('Nothing was saved: somebody else has changed the same fields.');
    await records.update(id, Object.fromEntries(names.map((name) => [name, mine[name]])), { ifVersion });
    close();
  };
  const show = (view: string): void => {
    const run = async (): Promise<void> => {
      if (props.form !== undefined) {
        const written = read();
        setForm({
          base,
          values: written,
          drafts: {},
          json: view === 'json' ? toJsonText(written, 2) : undefined,
        });
      }
      setQuery(route, { view });
    };
    void act(run, { fail });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape' && isNew && !isWritten) close();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>('[type=submit]')?.click();
  };
  const isWritten =
    props.form !== undefined &&
    (Object.keys(drafts).length > 0 || changedNames(base, values).length > 0 || isJson);
  if (schemas === undefined) return <Skeleton height={160} animate={false} />;
  return (
    <Paper
      component="form"
      w="100%"
      ref={box}
      aria-label={isNew ? `New ${kind.singular}` : 'Fields'}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
    >
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h4">
            {isNew ? `New ${kind.singular}` : 'Fields'}
          </Title>
          <Group gap="xs">
            {children}
            <SegmentedControl
              size="xs"
              aria-label="How the fields are shown"
              data={[
                { value: '', label: 'Form' },
                { value: 'json', label: 'JSON' },
              ]}
              value={isJson ? 'json' : ''}
              onChange={show}
            />
          </Group>
        </Group>
        <Text size="sm" c="dimmed">
          {leadOf(
            kind,
            isNew,
            fields.some(({ editor }) => editor === 'time'),
          )}
        </Text>
        {isJson ? (
          <Textarea
            label="Fields, as JSON"
            data-path=""
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autosize
            minRows={4}
            maxRows={24}
            error={error !== undefined}
            value={json}
            onChange={(event) => setForm({ ...form, json: event.currentTarget.value })}
          />
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} verticalSpacing="sm">
            {fields.map((field) => (
              <Input
                key={field.path}
                field={field}
                value={readAt(values, field.keys)}
                draft={drafts[field.path]}
                error={error?.byPath[field.path]}
                note={field.path === 'status' && kind.states && !isNew ? statusNote : undefined}
                isNew={isNew}
                known={field.path === 'status' ? kind.states : undefined}
                set={(draft) => setForm({ ...form, drafts: { ...drafts, [field.path]: draft } })}
              />
            ))}
          </SimpleGrid>
        )}
        {error?.rest && (
          <Alert color="red" role="alert" p="xs">
            <Foreign text={error.rest} />
          </Alert>
        )}
        {record && props.form && <Conflict {...props} form={props.form} record={record} read={read} />}
        {(isNew || props.form) && (
          <Group gap="xs">
            <Action
              type="submit"
              variant="filled"
              run={isNew ? create : update}
              fail={fail}
              done={`The ${kind.singular} was ${isNew ? 'created' : 'changed'}`}
              undo={1}
            >
              {isNew ? 'Create' : 'Save'}
            </Action>
            <Button variant="default" size="xs" onClick={close}>
              {isNew ? 'Cancel' : 'Discard'}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
};

/** What must be given comes first. */
const orderOf = ({ isRequired, keys }: Field): number => (isRequired && keys.length === 1 ? 0 : keys.length);

interface ConflictProps extends RecordFormProps {
  readonly form: Form;
  readonly record: AnyRecord;
  readonly read: () => Mapping;
}

/** The fields that somebody else has changed since they were written in here, with both values. */
const Conflict = ({ form, setForm, record, read }: ConflictProps) => {
  const mine = tryRead(read);
  const written = mine === undefined ? [] : changedNames(form.base, mine);
  const names = changedNames(form.base, record).filter((name) => written.includes(name));
  if (mine === undefined || names.length === 0) return null;
  const taken = Object.fromEntries(names.map((name) => [name, record[name]]));
  const set = (values: Mapping): void =>
    setForm({
      base: record,
      values,
      drafts: {},
      json: form.json === undefined ? undefined : toJsonText(values, 2),
    });
  // What was not written here is as they have left it.
  const merged = { ...record, ...Object.fromEntries(written.map((name) => [name, mine[name]])) };
  return (
    <Alert color="orange" role="alert" title="Somebody else has changed the same fields">
      <Compare label="Conflict" heads={['Yours', 'Theirs']} names={names} of={[mine, record]} />
      <Group gap="xs" mt="xs">
        <Button variant="default" size="xs" onClick={() => set(merged)}>
          Keep mine
        </Button>
        <Button variant="default" size="xs" onClick={() => set({ ...merged, ...taken })}>
          Take theirs
        </Button>
      </Group>
    </Alert>
  );
};

const tryRead = (read: () => Mapping): Mapping | undefined => {
  try {
    return read();
  } catch {
    return undefined; // what is written so far cannot be read
  }
};

const statusNote =
  'Changes this field alone. Complete, Fail and the others above also set what the status implies.';

const leadOf = ({ name, singular, states }: Kind, isNew: boolean, hasTimes: boolean): string => {
  const times = hasTimes ? 'Times are seconds since 1970, or a date-time in UTC.' : '';
  if (isNew && name === 'prompts') return 'A prompt needs an id and messages.';
  if (isNew) return `Fields that you leave empty get generated values. ${times}`;
  if (states === undefined) return times;
  return `If you edit this ${singular}, the clock no longer changes it. Revert it to undo that. ${times}`;
};

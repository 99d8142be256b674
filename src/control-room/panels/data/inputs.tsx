import { Autocomplete, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { toJsonText } from '../../../util/json.ts';
import { formatTime } from '../../format.ts';
import { isolate } from '../../text.tsx';
import { type Field, toDraft, toTimestamp } from './form.ts';

interface InputProps {
  readonly field: Field;
  /** What the field began with. */
  readonly value: unknown;
  /** What was written in it since. */
  readonly draft: string | undefined;
  readonly error: string | undefined;
  /** What is explained of it. */
  readonly note: string | undefined;
  readonly set: (draft: string) => void;
  /** What an empty field of a new record stands for. */
  readonly isNew: boolean;
  /** The known texts, of which others may be allowed. */
  readonly known: readonly string[] | undefined;
}

/** The input for a field of a record. */
export const Input = ({ field, value, draft, error, note, set, isNew, known }: InputProps) => {
  const { path, keys, editor, isRequired, isNullable, choices } = field;
  const text = draft ?? toDraft(field, value);
  const time = editor === 'time' ? toTimestamp(text) : undefined;
  const empty = isNew ? 'generated' : isNullable ? 'null' : '';
  const hints = [
    isRequired && keys.length === 1 && 'Required.',
    typeof time === 'number' && `${formatTime(time)} UTC`,
    note,
  ];
  const common = {
    label: isolate(path),
    description: hints.filter(Boolean).join(' ') || undefined,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    error: error && <span role="alert">{isolate(error)}</span>,
    value: text,
    'data-path': path,
    classNames: { label: 'wrap', input: editor === 'json' ? 'mono' : '' },
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set(event.currentTarget.value),
  };
  const typed = { ...common, placeholder: empty, autoComplete: 'off' };
  if (editor === 'choice') {
    const data = [
      ...(isNew || value === undefined ? [{ value: '', label: empty }] : []),
      ...[...choices, ...(isNullable ? [null] : [])].map((one) => ({
        value: toJsonText(one),
        label: String(one),
      })),
    ];
    return <NativeSelect {...common} data={data} />;
  }
  if (known !== undefined) return <Autocomplete {...typed} data={known} onChange={set} />;
  // By what it began with: another element would lose the focus.
  if (editor !== 'json' && !/instructions/.test(path) && String(value ?? '').length < 60)
    return <TextInput {...typed} />;
  return (
    <Textarea
      {...typed}
      {...(editor === 'json' && {
        spellCheck: false,
        placeholder: `${empty} (JSON)`,
      })}
      autosize
      maxRows={12}
    />
  );
};

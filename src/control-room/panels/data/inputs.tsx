import { Autocomplete, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { toJsonText } from '../../../core/util/json.ts';
import { inputFirst } from '../../parts.tsx';
import { formatTime, isolate } from '../../text.tsx';
import { type Field, toDraft, toTimestamp } from './form.ts';

interface InputProps {
  readonly field: Field;
  /** What the field started with. */
  readonly value: unknown;
  /** What was typed in it since then. */
  readonly draft: string | undefined;
  readonly error: string | undefined;
  /** An explanation of the field. */
  readonly note: string | undefined;
  /** An empty field of a new record stands for a generated value. */
  readonly isNew: boolean;
  /** The known values; others may be allowed as well. */
  readonly known: readonly string[] | undefined;
  readonly set: (draft: string) => void;
}

/** The input for a field of a record. */
export const Input = ({ field, value, draft, error, note, isNew, known, set }: InputProps) => {
  const { name, editor, choices, isNullable } = field;
  const text = draft ?? toDraft(field, value);
  const time = text === '' ? undefined : toTimestamp(text);
  const timeNote = typeof time === 'number' ? `${formatTime(time)} UTC` : 'Seconds, or a date-time in UTC';
  const empty = isNew && note === undefined ? 'generated' : isNullable ? 'null' : '';
  const common = {
    inputWrapperOrder: inputFirst,
    label: name === '' ? 'Fields, as JSON' : isolate(name),
    description: note ?? (editor === 'time' && timeNote),
    error: error && <span role="alert">{isolate(error)}</span>,
    value: text,
    'data-field': name,
    classNames: { label: 'wrap', input: editor === 'json' ? 'data-input mono' : 'data-input' },
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set(event.currentTarget.value),
  };
  const typed = { ...common, placeholder: empty, autoComplete: 'off' };
  if (editor === 'choice') {
    const options = [...choices, ...(isNullable ? [null] : [])].map((one) => ({
      value: toJsonText(one),
      label: String(one),
    }));
    return (
      <NativeSelect
        {...common}
        data={isNew || text === '' ? [{ value: '', label: empty }, ...options] : options}
      />
    );
  }
  if (known !== undefined) return <Autocomplete {...typed} data={known} onChange={set} />;
  // By the initial value: another element would lose the focus.
  const isLong = /instructions|description/.test(name) || String(value ?? '').length > 60;
  if (editor !== 'json' && !isLong) return <TextInput {...typed} />;
  return <Textarea {...typed} spellCheck={editor !== 'json'} autosize maxRows={name === '' ? 24 : 12} />;
};

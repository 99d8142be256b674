// Inputs that several panels share.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from './texts.ts';
import { isolate } from './visible.ts';

/** A field with its label. */
export const Field = ({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The input. */
  readonly children: ComponentChildren;
}) => (
  <label class="field">
    <span>{label}</span>
    {children}
    {hint !== undefined && <small>{hint}</small>}
  </label>
);

/** A text input, and the error about its text, which disappears with the next input. */
export const useText = (start = '') => {
  const [text, setText] = useState(start);
  const [error, setError] = useState<string>();
  const onInput = (event: { readonly currentTarget: { readonly value: string } }): void => {
    setText(event.currentTarget.value);
    setError(undefined);
  };
  const input = { value: text, 'aria-invalid': error !== undefined, onInput };
  return { text, setText, error, setError, input };
};

/** A field that filters as the user types. */
export const Search = ({
  label = texts.common.filter,
  set,
  ...rest
}: {
  readonly label?: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly title?: string;
  readonly set: (text: string) => void;
}) => (
  <Field label={label}>
    <input {...rest} type="search" onInput={({ currentTarget }) => set(currentTarget.value)} />
  </Field>
);

export const Check = ({
  label,
  isOn,
  set,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}) => (
  <label class="check">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => set(currentTarget.checked)} />{' '}
    {label}
  </label>
);

/** The value of an option, or the value and its text. */
type Option = string | readonly [value: string, text: string];

/** The options of a select. */
export const Options = ({ of }: { readonly of: readonly Option[] }) => (
  <>
    {of.map((option) => {
      const [value, text] = typeof option === 'string' ? [option, option] : option;
      return (
        <option key={value} value={value}>
          {isolate(text)}
        </option>
      );
    })}
  </>
);

/** A field with a choice. */
export const Select = ({
  label,
  value,
  options,
  set,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly set: (value: string) => void;
}) => (
  <Field label={label}>
    <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <Options of={options} />
    </select>
  </Field>
);

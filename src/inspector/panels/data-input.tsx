import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Options } from '../fields.tsx';
import type { FieldForm } from './data-drafts.ts';

interface Common {
  readonly value: string;
  readonly disabled?: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly onInput: (event: { currentTarget: { value: string } }) => void;
  /** The text of an empty choice, if there is one. */
  readonly empty?: string | undefined;
}

/** The input for a field. */
export const Input = ({
  form: { editor, isNullable, choices },
  empty,
  ...common
}: Common & { readonly form: FieldForm }): ComponentChildren => {
  const { value: draft } = common;
  // It stays what it began as, since another element would lose the focus.
  const [isLong] = useState(draft.length > 60 || draft.includes('\n'));
  const values = [...(editor === 'switch' ? [true, false] : choices), ...(isNullable ? [null] : [])];
  switch (editor) {
    case 'choice':
    case 'switch':
      return (
        <select {...common}>
          {empty !== undefined && <option value="">{empty}</option>}
          <Options of={values.map((one) => [toJsonText(one), String(one)])} />
        </select>
      );
    case 'number':
    case 'time':
      return <input {...common} inputMode={editor === 'number' ? 'decimal' : 'text'} autocomplete="off" />;
    case 'text':
      return isLong ? <textarea {...common} rows={6} /> : <input {...common} autocomplete="off" />;
    case 'json':
      return (
        <textarea
          {...common}
          class="mono"
          rows={Math.min(16, draft.split('\n').length + 1)}
          spellcheck={false}
        />
      );
  }
};

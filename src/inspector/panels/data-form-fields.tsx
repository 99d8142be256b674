import { useId } from 'preact/hooks';
import { Field } from '../fields.tsx';
import { Failure, formatTime } from '../parts.tsx';
import { texts } from '../texts.ts';
import { toTimestamp } from './data-drafts.ts';
import type { Drafts, FormField } from './data-form.ts';
import { Input } from './data-input.tsx';

const t = texts.data;

interface FormProps {
  readonly drafts: Drafts;
  /** What is wrong, by the path of the field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly set: (path: string, draft: string) => void;
}

/** The fields of a new record. Those of a nested object are a group. */
export const FormFields = ({ fields, ...form }: FormProps & { readonly fields: readonly FormField[] }) => (
  <div class="data-form">
    {fields
      .filter(({ constant }) => constant === undefined)
      .map((field) =>
        field.fields === undefined ? (
          <OneField key={field.path} field={field} {...form} />
        ) : (
          <fieldset key={field.path}>
            <legend>
              {field.name}{' '}
              {!field.isRequired && <small class="muted">{t.optional(namesNeeded(field.fields))}</small>}
            </legend>
            <Failure message={form.errors[field.path]} />
            <FormFields {...form} fields={field.fields} />
          </fieldset>
        ),
      )}
  </div>
);

/** The fields that the others of a group need. */
const namesNeeded = (fields: readonly FormField[]): string[] => {
  const shown = fields.filter(({ constant }) => constant === undefined);
  return shown.length === 1 ? [] : shown.filter(({ isRequired }) => isRequired).map(({ name }) => name);
};

const OneField = ({
  field: { name, path, form, isRequired },
  drafts,
  errors,
  set,
}: FormProps & { readonly field: FormField }) => {
  const errorId = useId();
  const draft = drafts[path] ?? '';
  const time = form.editor === 'time' ? toTimestamp(draft) : undefined;
  const hints = [
    isRequired && path === name && t.required, // in a group, its legend says so
    form.editor === 'json' && t.json,
    typeof time === 'number' && texts.record.timeIs(formatTime(time), time),
  ];
  return (
    <div>
      <Field label={name} hint={hints.filter(Boolean).join(' ') || undefined}>
        <Input
          form={form}
          value={draft}
          empty={t.generated}
          aria-invalid={errors[path] !== undefined}
          aria-describedby={errorId}
          onInput={(event) => set(path, event.currentTarget.value)}
        />
      </Field>
      <div id={errorId}>
        <Failure message={errors[path]} />
      </div>
    </div>
  );
};

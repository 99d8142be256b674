import { useState } from 'preact/hooks';
import { Action, Failure } from '../parts.tsx';
import { texts } from '../texts.ts';
import { EditForm, type EditProps } from './data-edit.tsx';
import { fromGroup, type Group, splitError } from './data-form.ts';
import { FormFields } from './data-form-fields.tsx';

const t = texts.record;

/** Edits a nested object field by field. */
export const GroupEditor = ({
  group: start,
  toJson,
  ...props
}: EditProps & {
  readonly group: Group;
  /** Goes on with what was written as JSON. */
  readonly toJson: (written: unknown) => void;
}) => {
  const [group, setGroup] = useState(start);
  const [error, setError] = useState<ReturnType<typeof splitError>>();
  const { field, drafts } = group;
  const fail = (message: string | undefined): void =>
    setError(message === undefined ? undefined : splitError([field], message));
  return (
    <EditForm
      {...props}
      read={() => fromGroup(group)}
      fail={fail}
      beside={
        <>
          <Action run={async () => toJson(fromGroup(group))} fail={fail}>
            {texts.data.asJson}
          </Action>
          {field.form.isNullable && <small>{t.nullHint}</small>}
        </>
      }
      below={<Failure message={error?.byPath[field.path] ?? error?.rest} />}
    >
      <fieldset aria-label={t.newValue(field.name)}>
        <FormFields
          fields={field.fields ?? []}
          drafts={drafts}
          errors={error?.byPath ?? {}}
          empty={t.notGiven}
          set={(path, draft) => setGroup({ field, drafts: { ...drafts, [path]: draft } })}
        />
      </fieldset>
    </EditForm>
  );
};

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Action } from '../parts.tsx';
import { texts } from '../texts.ts';
import type { FieldSchema } from './data-drafts.ts';
import { type AnyRecord, type KindInfo, recordsOf } from './data-kinds.ts';

const t = texts.record;

/** What edits one field of a record has these properties. */
export interface EditProps {
  readonly kind: KindInfo;
  readonly record: AnyRecord;
  /** The field as JSON when the editor opened. If it is another one when it is saved, that is a conflict. */
  readonly opened: { current: string };
  readonly name: string;
  readonly schema: FieldSchema | undefined;
  /** Called with changes of the number of fields being edited. */
  readonly setDrafts: (count: (before: number) => number) => void;
  readonly close: () => void;
}

/** The form in which a field is edited. Ctrl+Enter saves, and Escape closes it. */
export const EditForm = ({
  kind,
  record,
  opened,
  name,
  setDrafts,
  close,
  read,
  fail,
  focusOn,
  beside,
  below,
  children,
}: EditProps & {
  /** The new value. @throws Error if it cannot be read */
  readonly read: () => unknown;
  readonly fail: (message: string | undefined) => void;
  /** Whenever it changes, the first input gets the focus. */
  readonly focusOn?: unknown;
  /** Stands beside the buttons. */
  readonly beside?: ComponentChildren;
  readonly below: ComponentChildren;
  /** The inputs. */
  readonly children: ComponentChildren;
}) => {
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(
    () => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(),
    [focusOn],
  );
  useEffect(() => {
    setDrafts((before) => before + 1);
    return () => setDrafts((before) => before - 1);
  }, []);
  const save = async (): Promise<void> => {
    const [records, value] = [recordsOf(kind.name), read()];
    const ifVersion = await records.version(record.id); // first: a change in between is a conflict then
    const present = toJsonText(Object(await records.get(record.id))[name]);
    const isConflict = ifVersion !== undefined && present !== opened.current;
    if (isConflict) opened.current = present; // saving again replaces it
    if (isConflict) throw new Error(t.changedMeanwhile);
    await records.update(record.id, { [name]: value }, ifVersion === undefined ? {} : { ifVersion });
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>('[type=submit]')?.click();
  };
  return (
    <form class="data-edit" ref={box} onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown}>
      {children}
      <div class="row">
        <Action type="submit" class="main" run={save} fail={fail} done={t.changed(name)} undo={1}>
          {t.save}
        </Action>
        <button type="button" onClick={close}>
          {texts.common.cancel}
        </button>
        {beside}
      </div>
      {below}
    </form>
  );
};

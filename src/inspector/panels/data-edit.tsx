import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { versionCode } from '../../protocol/errors.ts';
import { Action } from '../parts.tsx';
import { texts } from '../texts.ts';
import type { FieldSchema } from './data-drafts.ts';
import { type AnyRecord, type KindInfo, recordsOf } from './data-kinds.ts';

const t = texts.record;

/** What edits one field of a record has these properties. */
export interface EditProps {
  readonly kind: KindInfo;
  readonly record: AnyRecord;
  /** The version that it must have when it is saved. */
  readonly version: string | undefined;
  /** Called if it has another one: from then on, the version that the page shows is expected. */
  readonly noteConflict: () => void;
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
  version,
  noteConflict,
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
    const options = version === undefined ? {} : { ifVersion: version };
    await recordsOf(kind.name)
      .update(record.id, { [name]: read() }, options)
      .catch((error: unknown) => {
        if (Object(error).code !== versionCode) throw error;
        noteConflict();
        throw new Error(t.changedMeanwhile);
      });
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

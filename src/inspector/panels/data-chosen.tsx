import { useState } from 'preact/hooks';
import { Select } from '../fields.tsx';
import { Action } from '../parts.tsx';
import { texts } from '../texts.ts';
import type { AnyRecord, KindInfo } from './data-kinds.ts';
import { recordsOf } from './data-kinds.ts';

const t = texts.data;

/** The most records that are chosen at once. */
export const maxChosen = 500;

/** What is done to all chosen records at once, and undone at once. */
export const Chosen = ({
  kind,
  ids,
  clear,
}: {
  readonly kind: KindInfo;
  readonly ids: readonly string[];
  readonly clear: () => void;
}) => {
  const { states = [] } = kind;
  const [status, setStatus] = useState(states[0] ?? '');
  const records = recordsOf(kind.name);
  const number = t.total(ids.length, kind.singular, kind.name);
  return (
    <div class="row" role="group" aria-label={t.chosen(number)}>
      <b>{t.chosen(number)}</b>
      {states.length > 0 && (
        <>
          <Select label={t.newState} value={status} options={states} set={setStatus} />
          <Action
            run={() => records.updateMany(ids, { status } as Partial<AnyRecord>).then(clear)}
            done={t.allChanged(number)}
            undo={1}
          >
            {t.setState}
          </Action>
        </>
      )}
      <Action run={() => records.deleteMany(ids).then(clear)} done={t.allDeleted(number)} undo={1}>
        {t.deleteChosen}
      </Action>
      <button type="button" onClick={clear}>
        {t.chooseNone}
      </button>
    </div>
  );
};

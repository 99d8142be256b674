import { useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Name } from '../name.tsx';
import { Action, Badge, Card, Empty, RecordLink } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { toHash } from '../route.ts';
import { texts } from '../texts.ts';
import { type KindName, kinds, recordsOf } from './data-kinds.ts';
import { type Change, type ChangedField, groupChanges } from './record-changes.ts';

const t = texts.scenario;

/** The maximum that the server returns. */
const maxChanges = 500;

/** The differences from the start of the scenario, by record. */
export const Changes = () => {
  const { value: changes } = useQuery('changes', (control) => control.state.changes());
  const list = useRef<HTMLUListElement>(null);
  return (
    <Card title={t.changes}>
      <p class="muted">
        {t.byClock} <a href={toHash('clock')}>{texts.clock.title}</a>.
      </p>
      {changes?.length === 0 && <Empty>{t.noChanges}</Empty>}
      {changes && changes.length > 0 && (
        <>
          <p class="muted">
            {changes.length === maxChanges ? t.firstChanges(maxChanges) : t.differences(changes.length)}
          </p>
          <ul ref={list} class="plain-list changes" tabIndex={-1} aria-label={t.differenceList}>
            {groupChanges(changes).map((change) => (
              <li key={`${change.kind}/${change.id}`}>
                <Group change={change} />
                {change.kind && (
                  <Revert kind={change.kind} change={change} after={() => list.current?.focus()} />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
};

const Group = ({ change: { kind, id, how, fields } }: { readonly change: Change }) => {
  const isWhole = how !== 'changed';
  return (
    <div>
      {kind && (
        <>
          {kinds.find(({ name }) => name === kind)?.singular}{' '}
          {how === 'deleted' ? (
            <span class="mono">
              <Name text={id} />
            </span>
          ) : (
            <RecordLink kind={kind} id={id} />
          )}{' '}
          {isWhole && <Badge tone={how === 'created' ? 'good' : 'bad'}>{t[how]}</Badge>}
        </>
      )}
      {!isWhole && fields.map((field) => <Field key={field.path} {...field} />)}
    </div>
  );
};

const Field = ({ path, field, from, to }: ChangedField) => (
  <div class="change">
    <span class="mono">
      <Name text={field || path} />
    </span>
    : <Value value={from} label={t.valueBefore(path)} />
    {' → '}
    <Value value={to} label={t.valueNow(path)} />
  </div>
);

/** Returns a record to its start. One that was created since is deleted. */
const Revert = ({
  kind,
  change: { id, how },
  after,
}: {
  readonly kind: KindName;
  readonly change: Change;
  /** Its button is about to go. */
  readonly after: () => void;
}) => {
  const run = async (): Promise<void> => {
    await (how === 'created' ? recordsOf(kind).delete(id) : recordsOf(kind).revert(id));
    after();
  };
  return (
    <Action
      run={run}
      done={how === 'created' ? t.wasDeleted(id) : t.reverted(id)}
      undo={1}
      aria-label={how === 'created' ? t.deleteOne(id) : t.revertOne(id)}
    >
      {how === 'created' ? texts.common.delete : t.revert}
    </Action>
  );
};

const maxLength = 120;

const Value = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const [isWhole, setWhole] = useState(false);
  if (value === undefined) return <span class="muted">{t.nothing}</span>;
  const text = toJsonText(value, isWhole ? 2 : 0);
  const isLong = isWhole || text.length > maxLength;
  return (
    <>
      <code>
        <Name text={isWhole ? text : text.slice(0, maxLength)} />
        {isLong && !isWhole && texts.common.loading}
      </code>
      {isLong && (
        <button
          type="button"
          class="plain"
          aria-expanded={isWhole}
          aria-label={t.showAllOf(label)}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.showLess : t.showAll}
        </button>
      )}
    </>
  );
};

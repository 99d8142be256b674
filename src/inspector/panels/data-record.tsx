import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { Name } from '../name.tsx';
import { Action, Card, Copy, Empty, Failure, Status } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { go, type Route, toHash } from '../route.ts';
import { texts } from '../texts.ts';
import { ToEndOf } from './clock-to-end.tsx';
import { Training } from './data-checkpoints.tsx';
import { RecordField } from './data-field.tsx';
import { type AnyRecord, type KindInfo, linkTo, recordsOf, runsKind } from './data-kinds.ts';
import { RecordList } from './data-list.tsx';
import { NewRecord } from './data-new.tsx';
import { describePolicyOf } from './data-policy.ts';
import { PromptForm } from './data-prompt.tsx';
import { useFields } from './data-schemas.ts';
import { groupChanges } from './record-changes.ts';

const t = texts.record;

/** One record: its fields, its owner, and its own records. */
export const RecordView = ({
  kind,
  id,
  route,
  heading,
}: {
  readonly kind: KindInfo;
  readonly id: string;
  readonly route: Route;
  readonly heading: ComponentChildren;
}) => {
  const { value } = useQuery([kind.name, id], async (control) => ({
    record: await recordsOf(kind.name, control).get(id),
  }));
  const record = value?.record;
  const last = useRef<AnyRecord>(undefined);
  last.current = record ?? last.current;
  const [drafts, setDrafts] = useState(0);
  const isDeleted = value !== undefined && record === undefined;
  // Unsaved input is kept.
  const shown = record ?? (isDeleted && drafts > 0 ? last.current : undefined);
  useLayoutEffect(() => {
    // The focused element disappeared with the record.
    if (isDeleted && document.activeElement === document.body)
      document.querySelector<HTMLElement>('.data-heading')?.focus();
  }, [isDeleted, drafts]);
  return (
    <>
      <div class="row">
        {heading}
        {record && <Tools kind={kind} record={record} />}
      </div>
      {isDeleted && (
        <Empty>
          {t.missing(kind.singular)} <a href={toHash('data', [kind.name])}>{t.all(kind.name)}</a>
        </Empty>
      )}
      {isDeleted && shown && <Failure message={t.deletedMeanwhile} />}
      {record && <More kind={kind} record={record} route={route} />}
      {shown && <Fields kind={kind} record={shown} isDeleted={isDeleted} setDrafts={setDrafts} />}
    </>
  );
};

interface RecordProps {
  readonly kind: KindInfo;
  readonly record: AnyRecord;
}

/** What is shown of a record besides its fields. */
const More = ({ kind: { name }, record, route }: RecordProps & { readonly route: Route }) => {
  if (name === 'prompts') return <PromptForm record={record} route={route} />;
  if (name === 'policies') return <Enforced record={record} />;
  if (name === 'jobs') return <Training job={record.id} />;
  if (name === 'threads') return <Runs thread={record.id} route={route} />;
  return null;
};

const Tools = ({ kind, record }: RecordProps) => {
  const owner = kind.owner;
  const ownerId = owner === undefined ? undefined : record[owner.field];
  return (
    <>
      {typeof record.status === 'string' && <Status status={record.status} />}
      {owner !== undefined && typeof ownerId === 'string' && (
        <a href={linkTo(owner.kind, ownerId)}>
          {owner.title} <Name text={ownerId} />
        </a>
      )}
      {kind.states && (
        <>
          <a href={toHash('clock', [], { q: record.id })}>{t.timeline}</a>
          <ToEndOf key={record.id} id={record.id} />
        </>
      )}
      <div class="aside">
        <Copy text={toJsonText(record, 2)}>{t.copyJson}</Copy>
        <Revert kind={kind} record={record} />
        <Delete kind={kind} record={record} />
      </div>
    </>
  );
};

const Delete = ({ kind, record }: RecordProps) => {
  const run = async (): Promise<void> => {
    await recordsOf(kind.name).delete(record.id);
    const { owner } = kind;
    go(toHash('data', [kind.name], owner && { [owner.key]: String(record[owner.field]) }));
  };
  return (
    <Action run={run} done={t.deleted(kind.singular)} undo={1}>
      {texts.common.delete}
    </Action>
  );
};

/** Returns an edited record to its scenario, so that it changes with the clock again. */
const Revert = ({ kind, record }: RecordProps) => {
  const { value: change } = useQuery(['change', kind.name, record.id], async (control) =>
    groupChanges(await control.state.changes()).find((one) => one.kind === kind.name && one.id === record.id),
  );
  if (change?.how !== 'changed') return null;
  const run = async (): Promise<void> => {
    await recordsOf(kind.name).revert(record.id);
    document.querySelector<HTMLElement>('.data-heading')?.focus(); // the button goes
  };
  return (
    <Action run={run} done={t.reverted(kind.singular)} undo={1}>
      {t.revert}
    </Action>
  );
};

interface FieldsProps extends RecordProps {
  /** Whether the record was deleted. It can no longer be edited then. */
  readonly isDeleted: boolean;
  readonly setDrafts: (count: (before: number) => number) => void;
}

const Fields = ({ kind, record, isDeleted, setDrafts }: FieldsProps) => {
  const known = useFields(kind.name);
  const schemas = known ?? {};
  const names = [...new Set([...Object.keys(record), ...Object.keys(schemas)])];
  if (names.length === 1) return null; // the id, which is shown above
  return (
    <Card title={t.fields}>
      {kind.states && <p class="muted">{t.noLonger(kind.singular)}</p>}
      <dl class="data-fields">
        {names.map((name) => (
          <RecordField
            key={name}
            kind={kind}
            record={record}
            name={name}
            schema={schemas[name]}
            canEdit={known !== undefined && !isDeleted}
            setDrafts={setDrafts}
          />
        ))}
      </dl>
    </Card>
  );
};

const Runs = ({ thread, route }: { readonly thread: string; readonly route: Route }) => (
  <section class="stack" aria-label={texts.data.runsOf(thread)}>
    <div class="row">
      <h3>{texts.data.runs}</h3>
      <NewRecord kind={runsKind} owner={thread} />
    </div>
    <RecordList kind={runsKind} owner={thread} route={route} />
  </section>
);

const Enforced = ({ record }: { readonly record: AnyRecord }) => {
  const { value } = useQuery('enforced', (control) => control.quotas.isEnforced());
  return (
    <Card title={t.limits}>
      <p>{describePolicyOf(record)}</p>
      <p class="muted">
        {record.status !== 'active'
          ? t.archived
          : value === true
            ? t.enforced
            : value === false
              ? t.notEnforced
              : ''}
        {record.status === 'active' && <a href={toHash('faults')}>{t.faults}</a>}
      </p>
    </Card>
  );
};

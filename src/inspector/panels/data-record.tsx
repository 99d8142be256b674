import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { useAsk } from '../ask.ts';
import { control } from '../live.ts';
import { Action, Card, Copy, Empty, Failure, Status } from '../parts.tsx';
import { go, type Route, toHash } from '../route.ts';
import { Training } from './data-checkpoints.tsx';
import { RecordField } from './data-field.tsx';
import { type AnyRecord, type KindInfo, kinds, linkTo, recordsOf, runsKind } from './data-kinds.ts';
import { NewRecord, RecordList } from './data-list.tsx';
import { describePolicyOf } from './data-policy.ts';
import { PromptForm } from './data-prompt.tsx';
import { useFields } from './data-schemas.ts';

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
  const { value, error } = useAsk(
    async () => ({ record: await recordsOf(kind.name).get(id) }),
    [kind.name, id],
  );
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
      <Failure message={error} />
      {isDeleted && (
        <Empty>
          There is no {kind.singular} with this id at the current time of the world.{' '}
          <a href={toHash('data', [kind.name])}>All {kind.name}</a>
        </Empty>
      )}
      {isDeleted && shown && (
        <Failure message="The record was deleted while you were editing it. Your input is below to copy; it cannot be saved." />
      )}
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
          {owner.title} {ownerId}
        </a>
      )}
      {kind.states && <a href={toHash('clock')}>Timeline</a>}
      <div class="aside">
        <Copy text={toJsonText(record, 2)}>Copy as JSON</Copy>
        <Delete kind={kind} record={record} />
      </div>
    </>
  );
};

const Delete = ({ kind, record }: RecordProps) => {
  /** Undefined until it is first pressed, so that opening a record does not move the focus. */
  const [isAsking, setAsking] = useState<boolean>();
  const next = useRef<HTMLButtonElement>(null);
  const run = async (): Promise<void> => {
    await recordsOf(kind.name).delete(record.id);
    const { owner } = kind;
    go(toHash('data', [kind.name], owner && { [owner.key]: String(record[owner.field]) }));
  };
  // Not on the button that deletes, so that pressing a key twice does no harm.
  useLayoutEffect(() => {
    if (isAsking !== undefined) next.current?.focus();
  }, [isAsking]);
  const owned = kinds.find((other) => other.owner?.kind === kind.name);
  return (
    <div class="row" role="group" aria-label="Delete">
      {isAsking ? (
        <>
          <Action run={run} done={`The ${kind.singular} was deleted`} class="data-danger">
            Yes, delete it{owned && ` with its ${owned.name}`}
          </Action>
          <button type="button" ref={next} onClick={() => setAsking(false)}>
            Keep it
          </button>
        </>
      ) : (
        <button type="button" ref={next} onClick={() => setAsking(true)}>
          Delete
        </button>
      )}
    </div>
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
    <Card title="Fields">
      {kind.states && <p class="muted">An edited {kind.singular} no longer changes with the clock.</p>}
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
  <section class="stack" aria-label={`Runs of ${thread}`}>
    <div class="row">
      <h3>Runs</h3>
      <NewRecord kind={runsKind} owner={thread} />
    </div>
    <RecordList kind={runsKind} owner={thread} route={route} />
  </section>
);

const Enforced = ({ record }: { readonly record: AnyRecord }) => {
  const { value } = useAsk(() => control.quotas.isEnforced());
  return (
    <Card title="What this policy limits">
      <p>{describePolicyOf(record)}</p>
      <p class="muted">
        {record.status !== 'active'
          ? 'It is archived, so it has no effect.'
          : value === true
            ? 'It is enforced now: '
            : value === false
              ? 'Quotas are not enforced now, so it has no effect: '
              : ''}
        {record.status === 'active' && <a href={toHash('faults')}>Faults and quotas</a>}
      </p>
    </Card>
  );
};

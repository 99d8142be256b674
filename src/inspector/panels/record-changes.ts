import type { StateChange } from '../../scenario/compare.ts';
import { control } from '../session.ts';
import type { Undo } from '../undo.ts';
import { type AnyRecord, type KindName, kinds, recordsOf } from './data-kinds.ts';

/** A field that differs from the start. An empty one is the whole record. */
export interface ChangedField extends StateChange {
  readonly field: string;
}

/** A record with what differs from the start, or another part of the session. */
export interface Change {
  readonly kind: KindName | undefined;
  readonly id: string;
  /** The id of the record that owns it. */
  readonly owner: string | undefined;
  readonly how: 'created' | 'deleted' | 'changed';
  readonly fields: readonly ChangedField[];
}

/** Groups the differences by record. */
export const groupChanges = (changes: readonly StateChange[]): Change[] => {
  const groups = new Map<string, Change>();
  for (const change of changes) {
    const { kind, id, owner, field } = readPath(change.path);
    const key = JSON.stringify([kind, id]);
    const before = groups.get(key);
    const isWhole = kind !== undefined && field === '';
    const how = !isWhole ? 'changed' : 'from' in change ? 'deleted' : 'created';
    groups.set(key, {
      kind,
      id,
      owner,
      how: before?.how ?? how,
      fields: [...(before?.fields ?? []), { ...change, field }],
    });
  }
  return [...groups.values()];
};

type Place = Pick<Change, 'kind' | 'id' | 'owner'> & Pick<ChangedField, 'field'>;

const recordKinds = {
  threads: 'runs',
  jobs: 'checkpoints',
  batches: 'batches',
  policies: 'policies',
} as const;

/** Which record a path such as `threads.thread_demo.records[run_1].status` is in. */
const readPath = (path: string): Place => {
  const record = /^(threads|jobs|batches|policies)(?:\.(.*?))?\.records\[(.*?)\](?:\.(.*))?$/s.exec(path);
  if (record) {
    const [, section = 'threads', owner, id = '', field = ''] = record;
    return { kind: recordKinds[section as keyof typeof recordKinds], id, owner, field }; // by the expression
  }
  const other = /^(?:(threads|jobs)\.(.+)|(prompts)\.([^.]+)(?:\.(.+))?)$/s.exec(path);
  if (other === null || path.endsWith(')')) return { kind: undefined, id: path, owner: undefined, field: '' };
  const [, section = 'prompts', owner, , id = '', field = ''] = other;
  return { kind: section as KindName, id: owner ?? id, owner: undefined, field };
};

/** Takes back what is done to records, and to those that they own. What others wrote before stays. */
export const undoRecord =
  (kind: KindName, ...ids: readonly string[]): Undo =>
  async () => {
    const changes = groupChanges(await control.state.changes());
    const meant = new Set<string | undefined>(ids);
    const own = changes.filter((one) => one.kind === kind && meant.has(one.id));
    const created = new Set(own.filter(({ how }) => how === 'created').map(({ id }) => id));
    const owned = kinds.find(({ owner }) => owner?.kind === kind);
    const written = changes.flatMap((one) =>
      own.includes(one) || (one.kind === owned?.name && meant.has(one.owner))
        ? [{ kind: one.kind, id: one.id }]
        : [],
    );
    // The records of a created owner are part of its difference.
    if (owned?.owner !== undefined)
      for (const id of created)
        for (const one of await recordsOf(owned.name).list({ [owned.owner.field]: id, order: 'asc' }))
          written.push({ kind: owned.name, id: one.id });
    const before = await Promise.all(
      written.map(async (one) => ({ ...one, record: await recordsOf(one.kind ?? kind).get(one.id) })),
    );
    return async () => {
      for (const id of ids) if (!created.has(id)) await recordsOf(kind).revert(id);
      for (const one of before) await put(one.kind ?? kind, one.id, one.record);
    };
  };

const put = async (kind: KindName, id: string, record: AnyRecord | undefined): Promise<void> => {
  const records = recordsOf(kind);
  const present = await records.get(id);
  if (record !== undefined) await (present ? records.update(id, record) : records.create(record));
  else if (present !== undefined) await records.delete(id);
};

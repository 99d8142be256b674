import type { StateChange } from '../../../core/scenario/compare.ts';
import type { KindName } from '../../kinds.ts';

/** A field that differs from the start. An empty one is the whole record. */
export interface ChangedField extends StateChange {
  readonly field: string;
}

/** A record with what differs from the start, or another part of the session. */
export interface Change {
  readonly kind: KindName | undefined;
  readonly id: string;
  readonly how: 'created' | 'deleted' | 'changed';
  readonly fields: readonly ChangedField[];
}

/** Groups the differences by record. */
export const groupChanges = (changes: readonly StateChange[]): Change[] => {
  const groups = new Map<string, Change>();
  for (const change of changes) {
    const { kind, id, field } = readPath(change.path);
    const key = JSON.stringify([kind, id]);
    const before = groups.get(key);
    const isWhole = kind !== undefined && field === '';
    const how = !isWhole ? 'changed' : 'from' in change ? 'deleted' : 'created';
    groups.set(key, {
      kind,
      id,
      how: before?.how ?? how,
      fields: [...(before?.fields ?? []), { ...change, field }],
    });
  }
  return [...groups.values()];
};

/** Where the id of a record of each kind, and its field, are in a path such as `threads.thread_demo.records[run_1].status`. */
const places: readonly (readonly [kind: KindName, RegExp])[] = [
  ['runs', /^threads\..*?\.records\[(.*?)\]\.?(.*)$/s],
  ['checkpoints', /^jobs\..*?\.records\[(.*?)\]\.?(.*)$/s],
  ['batches', /^batches\.records\[(.*?)\]\.?(.*)$/s],
  ['policies', /^policies\.records\[(.*?)\]\.?(.*)$/s],
  ['threads', /^threads\.(.*[^)])()$/s],
  ['jobs', /^jobs\.(.*[^)])()$/s],
  ['prompts', /^prompts\.([^.]+)\.?(.*)$/s],
];

const readPath = (path: string): Pick<Change, 'kind' | 'id'> & Pick<ChangedField, 'field'> => {
  for (const [kind, pattern] of places) {
    const [, id, field = ''] = pattern.exec(path) ?? [];
    if (id !== undefined) return { kind, id, field };
  }
  return { kind: undefined, id: path, field: '' };
};

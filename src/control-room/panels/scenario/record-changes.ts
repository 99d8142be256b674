import type { StateChange } from '../../../scenario/compare.ts';
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

type Place = Pick<Change, 'kind' | 'id'> & Pick<ChangedField, 'field'>;

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
    const [, section = 'threads', , id = '', field = ''] = record;
    return { kind: recordKinds[section as keyof typeof recordKinds], id, field }; // by the expression
  }
  const other = /^(?:(threads|jobs)\.(.+)|(prompts)\.([^.]+)(?:\.(.+))?)$/s.exec(path);
  if (other === null || path.endsWith(')')) return { kind: undefined, id: path, field: '' };
  const [, section = 'prompts', owner, , id = '', field = ''] = other;
  return { kind: section as KindName, id: owner ?? id, field };
};

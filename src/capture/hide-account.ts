import type { SeenRecord } from '../conformance/lists.ts';
import type { Mapping } from '../util/mapping.ts';
import type { Account } from './account.ts';
import type { Hide } from './hide.ts';
import { hideBatch, hideCheckpoint, hidePolicy, hideRendered, hideRun } from './hide-records.ts';
import type { Replacements } from './replacements.ts';
import type { Walked } from './walk-list.ts';

/** The account with ids and texts replaced, each the same everywhere. */
export const hideAccount = (account: Account, given: Replacements): Account => {
  noteIds(account, given);
  const walked =
    (hide: Hide) =>
    (list: Walked): Walked => ({
      ...list,
      records: list.records.map((record) => hide(record, given) as SeenRecord), // its id is still a text
    });
  const each = <Value>(
    found: ReadonlyMap<string, Value>,
    toKey: (id: string) => string,
    hide: (value: Value) => Value,
  ) => new Map(Array.from(found, ([id, value]) => [toKey(id), hide(value)]));
  const mapping =
    (hide: Hide) =>
    (value: Mapping): Mapping =>
      hide(value, given) as Mapping; // it is still an object
  return {
    threads: each(account.threads, (id) => given.id(id, 'thread_'), walked(hideRun)),
    batches: account.batches && walked(hideBatch)(account.batches),
    jobs: each(account.jobs, (id) => given.id(id, 'ftjob-'), walked(hideCheckpoint)),
    policies: each(account.policies, (id) => given.id(id, ''), mapping(hidePolicy)),
    prompts: each(account.prompts, (id) => hidePromptId(id, given), mapping(hideRendered)),
  };
};

/** Registers all ids of the account, before texts are searched for them. */
const noteIds = (account: Account, given: Replacements): void => {
  const noteList = (list: Walked | undefined, prefix: string): void => {
    for (const { id } of list?.records ?? []) given.id(id, prefix);
  };
  for (const [id, list] of account.threads) {
    given.id(id, 'thread_');
    noteList(list, 'run_');
    for (const { assistant_id } of list.records)
      if (typeof assistant_id === 'string') given.id(assistant_id, 'asst_');
  }
  noteList(account.batches, 'batch_');
  for (const { input_file_id, output_file_id, error_file_id } of account.batches?.records ?? [])
    for (const file of [input_file_id, output_file_id, error_file_id])
      if (typeof file === 'string') given.id(file, 'file-');
  for (const [id, list] of account.jobs) {
    given.id(id, 'ftjob-');
    noteList(list, 'ftckpt_');
  }
  for (const id of account.policies.keys()) given.id(id, '');
  for (const id of account.prompts.keys()) hidePromptId(id, given);
};

/** The version in a prompt id is kept: it reveals nothing, and callers use it. */
const hidePromptId = (id: string, given: Replacements): string => {
  const [, name = id, version = ''] = /^(.+)(@(?:\d+|latest))$/.exec(id) ?? [];
  return given.id(name, 'prompt_') + version;
};

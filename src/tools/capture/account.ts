// Reads an account, one call at a time, and replaces its ids and texts.

import { getRateLimitsPolicyContract } from '../../core/operations/get-rate-limits-policy/contract.ts';
import { renderPromptContract } from '../../core/operations/render-prompt/contract.ts';
import { fillPath } from '../../core/protocol/paths.ts';
import { isMapping, type Mapping } from '../../core/util/mapping.ts';
import type { CheckedList, ListQuery } from '../conformance/lists.ts';
import { checkpoints, listCall, lists, maxLimit, runs } from '../conformance/lists.ts';
import type { ListPage, SeenRecord } from '../conformance/walk.ts';
import { toPage, walkPages } from '../conformance/walk.ts';
import type { Ask } from './gateway-client.ts';
import { hideRecord } from './hide.ts';
import type { Replacements } from './replacements.ts';

/** The records to read from an account. No operation lists threads, jobs, policies or prompts, so the user names their ids. */
export interface AccountSelection {
  readonly thread?: readonly string[];
  readonly job?: readonly string[];
  readonly policy?: readonly string[];
  readonly prompt?: readonly string[];
  /** The variables to render the prompts with. Default: none. */
  readonly variables?: object;
  /** The maximum number of records from each list. */
  readonly maxRecords: number;
}

/** The records of one list, newest first. */
export interface CapturedList {
  readonly list: CheckedList;
  /** The thread or job; empty for batches. */
  readonly owner: string;
  readonly records: readonly SeenRecord[];
  /** Whether the list has more records than were requested. */
  readonly isCut: boolean;
  /** Whether its last page was empty, with has_more true. */
  readonly isOpen: boolean;
  /** `first_id` of an empty list; undefined if it is missing or the list is not empty. */
  readonly emptyEnd?: unknown;
}

/** The records that were read from a gateway. The keys of the maps are the requested ids. */
export type Account = Readonly<Awaited<ReturnType<typeof readAccount>>>;

/** @throws Error if a call is refused */
export const readAccount = async (ask: Ask, selection: AccountSelection, hasVirtualKey: boolean) => {
  const { policy = [], prompt = [], variables = {}, maxRecords } = selection;
  const capturedLists: CapturedList[] = [];
  for (const list of lists) {
    const withoutOwner = hasVirtualKey ? [''] : [];
    const owners = list.owner === undefined ? withoutOwner : new Set(selection[list.owner.sample]);
    for (const owner of owners) capturedLists.push(await readList(ask, list, owner, maxRecords));
  }
  const policies = new Map<string, Mapping>();
  for (const id of policy) policies.set(id, await readPolicy(ask, id));
  const prompts = new Map<string, Mapping>();
  for (const id of prompt) prompts.set(id, await renderPrompt(ask, id, variables));
  return { lists: capturedLists, policies, prompts };
};

/**
 * Reads a list as real clients do, up to a number of records.
 *
 * @throws Error if a page is refused or invalid, or the list repeats itself
 */
const readList = async (ask: Ask, list: CheckedList, owner: string, maxRecords: number) => {
  const { path } = listCall(list, { thread: owner, job: owner });
  const records = new Map<string, SeenRecord>();
  // The contract has no maximum for checkpoints, so they are read in pages of the default size.
  const limit = list === checkpoints ? undefined : maxLimit;
  const read = async (query: ListQuery): Promise<ListPage> => {
    const body = await ask(path, { query: listCall(list, {}, { ...query, limit }).query });
    const page = toPage(body);
    if (page !== undefined) return page;
    throw new Error(
      `GET ${path} returned 200, but not a list of records. Check that this is the base URL of a gateway.`,
    );
  };
  for await (const page of walkPages(read, list === runs ? { order: 'desc' } : {})) {
    const sizeBefore = records.size;
    for (const record of page.records) if (!records.has(record.id)) records.set(record.id, record);
    const last = page.records.at(-1);
    const hasMore = page.hasMore && last !== undefined;
    const isCut = records.size > maxRecords || (records.size === maxRecords && hasMore);
    if (isCut || !hasMore)
      return {
        list,
        owner,
        records: [...records.values()].slice(0, maxRecords),
        isCut,
        isOpen: page.hasMore && !isCut,
        emptyEnd: records.size === 0 ? page.envelope.first_id : undefined,
      };
    if (records.size === sizeBefore)
      throw new Error(`the pages of ${path} repeat: the one after ${last.id} has no new records.`);
  }
  throw new Error(`the pages of ${path} have no end.`); // the loop above always returns
};

/** Reads a policy. A gateway returns a policy only for its status, so `archived` is tried if `active` fails. */
const readPolicy = async (ask: Ask, id: string): Promise<Mapping> => {
  const path = fillPath(getRateLimitsPolicyContract.path, { rateLimitsPolicyId: id });
  const active = await ask(path, { query: 'status=active', mayGet: [404] });
  return toMapping(active ?? (await ask(path, { query: 'status=archived' })), path);
};

const renderPrompt = async (ask: Ask, id: string, variables: object): Promise<Mapping> => {
  const path = fillPath(renderPromptContract.path, { promptId: id });
  const { data } = toMapping(await ask(path, { body: { variables } }), path);
  return toMapping(data, path);
};

const toMapping = (value: unknown, path: string): Mapping => {
  if (isMapping(value)) return value;
  throw new Error(`${path} returned 200, but the body is not the object that the contract describes.`);
};

/** The prefixes for replaced ids of records and owners, if an id has no known prefix. */
const prefixes = {
  runs: ['run_', 'thread_'],
  batches: ['batch_', ''],
  checkpoints: ['ftckpt_', 'ftjob-'],
} as const;

/** The account with replaced ids and texts. Equal texts get equal replacements. */
export const hideAccount = (account: Account, replacements: Replacements): Account => {
  const hideEach = (found: ReadonlyMap<string, Mapping>, toKey: (id: string) => string) =>
    new Map(Array.from(found, ([id, value]) => [toKey(id), hideRecord(value, replacements) as Mapping])); // it is still an object
  const hide = (): Account => ({
    lists: account.lists.map((captured) => {
      const [ofRecord, ofOwner] = prefixes[captured.list.name];
      const owner = replacements.id(captured.owner, ofOwner);
      for (const { id } of captured.records) replacements.id(id, ofRecord);
      const records = captured.records.map((record) => hideRecord(record, replacements) as SeenRecord); // its id is still a text
      return { ...captured, owner, records };
    }),
    policies: hideEach(account.policies, (id) => replacements.id(id, '')),
    prompts: hideEach(account.prompts, (id) => {
      // The version is kept: it reveals nothing, and callers use it.
      const [, name = id, version = ''] = /^(.+)(@(?:\d+|latest))$/.exec(id) ?? [];
      return replacements.id(name, 'prompt_') + version;
    }),
  });
  hide(); // the first round finds all ids, the second round also replaces them in texts
  replacements.forgetTexts();
  return hide();
};

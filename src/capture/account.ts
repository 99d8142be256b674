import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { listBatchesContract } from '../operations/list-batches/contract.ts';
import { listCheckpointsContract } from '../operations/list-checkpoints/contract.ts';
import { listRunsContract } from '../operations/list-runs/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { fillPath } from '../protocol/paths.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { type Ask, CaptureError, expectOk } from './gateway-client.ts';
import { type Walked, walkList } from './walk-list.ts';

/** What to read from an account. No operation lists threads, jobs, policies or prompts, so their ids are given. */
export interface Wanted {
  readonly threads: readonly string[];
  readonly jobs: readonly string[];
  readonly policies: readonly string[];
  readonly prompts: readonly string[];
  /** Whether to read the batches. */
  readonly batches: boolean;
  /** The variables to render the prompts with. */
  readonly variables: object;
  /** The maximum number of records from each list. */
  readonly maxRecords: number;
}

/** The records that were read from a gateway. The keys of the maps are the requested ids. */
export interface Account {
  readonly threads: ReadonlyMap<string, Walked>;
  readonly jobs: ReadonlyMap<string, Walked>;
  readonly batches: Walked | undefined;
  readonly policies: ReadonlyMap<string, Mapping>;
  /** The rendered request bodies. */
  readonly prompts: ReadonlyMap<string, Mapping>;
}

/** The lists that were read. */
export const listsOf = ({ threads, jobs, batches }: Account): readonly Walked[] => [
  ...threads.values(),
  ...jobs.values(),
  ...(batches ? [batches] : []),
];

/** Reads an account, one call after the other. @throws CaptureError if a call is refused */
export const readAccount = async (ask: Ask, wanted: Wanted): Promise<Account> => ({
  threads: await readEach(wanted.threads, (id) =>
    walkList(ask, fillPath(listRunsContract.path, { thread_id: id }), wanted.maxRecords, 'desc'),
  ),
  batches: wanted.batches ? await walkList(ask, listBatchesContract.path, wanted.maxRecords) : undefined,
  jobs: await readEach(wanted.jobs, (id) =>
    walkList(ask, fillPath(listCheckpointsContract.path, { fine_tuning_job_id: id }), wanted.maxRecords),
  ),
  policies: await readEach(wanted.policies, (id) => readPolicy(ask, id)),
  prompts: await readEach(wanted.prompts, (id) => renderPrompt(ask, id, wanted.variables)),
});

const readEach = async <Value>(
  ids: readonly string[],
  read: (id: string) => Promise<Value>,
): Promise<Map<string, Value>> => {
  const found = new Map<string, Value>();
  for (const id of new Set(ids)) found.set(id, await read(id));
  return found;
};

/** Reads a policy. A gateway returns it only for its own status, so `archived` is tried if `active` fails. */
const readPolicy = async (ask: Ask, id: string): Promise<Mapping> => {
  const path = fillPath(getRateLimitsPolicyContract.path, { rateLimitsPolicyId: id });
  const active = await ask(path, 'status=active');
  const got = active.status === 404 ? await ask(path, 'status=archived') : active;
  return toMapping(expectOk(got, `GET ${path}`), path);
};

const renderPrompt = async (ask: Ask, id: string, variables: object): Promise<Mapping> => {
  const path = fillPath(renderPromptContract.path, { promptId: id });
  const reply = toMapping(expectOk(await ask(path, undefined, { variables }), `POST ${path}`), path);
  return toMapping(reply.data, path);
};

const toMapping = (value: unknown, path: string): Mapping => {
  if (!isMapping(value))
    throw new CaptureError(
      `${path} returned 200, but the body is not the object that the contract describes.`,
    );
  return value;
};

// The calls that show what a scenario holds, and the pages that they lead to.

import type { Reply } from '../../src/core/protocol/call.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import type { OpenGateway, Page, SentCall } from './open-gateway.ts';

/** Where the runs of a thread are. */
export const runsOf = (thread: string): string => `/threads/${encodeURIComponent(thread)}/runs`;

/** Where the checkpoints of a job are. */
export const checkpointsOf = (job: string): string =>
  `/fine_tuning/jobs/${encodeURIComponent(job)}/checkpoints`;

/** The call that renders a prompt. */
export const renderOf = (prompt: string, variables: object): SentCall => ({
  path: `/prompts/${encodeURIComponent(prompt)}/render`,
  body: { variables },
});

/** The header that clients send with calls of the run list. */
export const betaHeader = { 'openai-beta': 'assistants=v2' };

/** A call for each list, policy and prompt that there is, by the name of its part. */
export const partsOf = async ({ records }: Control): Promise<Record<string, SentCall>> => {
  const threads = (await records.threads.list()).map(
    ({ id }) => [`threads/${id}`, { path: runsOf(id), headers: betaHeader }] as const,
  );
  const jobs = (await records.jobs.list()).map(
    ({ id }) => [`jobs/${id}`, { path: checkpointsOf(id) }] as const,
  );
  const policies = (await records.policies.list()).map(
    ({ id, status }) => [`policies/${id}`, { path: `/policies/rate-limits/${id}?status=${status}` }] as const,
  );
  const prompts = (await records.prompts.list()).map(
    ({ id }) => [`prompts/${id}`, renderOf(id, {})] as const,
  );
  return Object.fromEntries([
    ...threads,
    ['batches', { path: '/batches' }],
    ...jobs,
    ...policies,
    ...prompts,
  ]);
};

/** The texts of the first pages that a call leads to, each with its status and its request's id. */
export const readPages = async (
  send: (
    call: SentCall,
  ) => Pick<Reply, 'status' | 'headers' | 'body'> | Promise<Pick<Reply, 'status' | 'headers' | 'body'>>,
  call: SentCall,
  maxPages: number,
): Promise<string[]> => {
  const pages: string[] = [];
  const { path = '', body: variables } = call;
  const isList = variables === undefined && !path.includes('?');
  for (let query = isList ? '?limit=100' : ''; pages.length < maxPages; ) {
    const { status, headers, body } = await send({ ...call, path: path + query });
    pages.push(`${status} ${headers['x-request-id']} ${body}`);
    const { has_more, last_id }: Partial<Page<unknown>> = JSON.parse(body ?? '');
    if (has_more !== true) break;
    query = `?limit=100&after=${encodeURIComponent(last_id ?? '')}`;
  }
  return pages;
};

/** The records of a whole list, page by page. */
export const walkPages = <Item extends { readonly id: string }>(
  { getPage }: OpenGateway,
  path: string,
  limit: number,
): (readonly Item[])[] => {
  const pages: (readonly Item[])[] = [];
  for (let after = ''; ; ) {
    const { data, has_more } = getPage<Item>(`${path}?limit=${limit}&after=${encodeURIComponent(after)}`);
    pages.push(data);
    if (!has_more) return pages;
    after = data.at(-1)?.id ?? '';
  }
};

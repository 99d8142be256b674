import { type Gateway, type GatewayOptions, openGateway } from '../../src/gateway/gateway.ts';

/** Calls a path below the base URL, with keys that the scenario accepts unless headers are given. */
export type CallPath = (path: string, init?: RequestInit) => Promise<Response>;

/** One page of a list, as far as tests look into it: the contract was held against it already. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly last_id: string;
}

/** A gateway in process, and how to call it. */
export interface OpenScenario {
  readonly gateway: Gateway;
  readonly headers: Readonly<Record<string, string>>;
  readonly call: CallPath;
  readonly getPage: <Item = { readonly id: string }>(path: string) => Promise<Page<Item>>;
  readonly render: (prompt: string, variables: object) => Promise<Response>;
}

/** Opens a gateway and calls it past every transport, as what a transport hands on. */
export const openScenario = async (scenario: GatewayOptions['scenario']): Promise<OpenScenario> => {
  const { gateway, answer } = openGateway({ scenario });
  const { keys = {} } = await gateway.state.export();
  const headers = {
    'x-gateway-api-key': keys.valid?.[0] ?? 'any',
    'x-gateway-virtual-key': keys.virtual?.[0] ?? 'any',
    'openai-beta': 'assistants=v2',
  };
  const call: CallPath = async (target, init = {}) => {
    const [path = '', query = ''] = target.split('?');
    const sent = new Headers(init.headers ?? headers);
    const reply = answer({
      method: init.method ?? 'GET',
      path: `/v1${path}`,
      query,
      header: (name) => sent.get(name) ?? undefined,
      headers: () => Object.fromEntries(sent),
      body: new TextEncoder().encode(typeof init.body === 'string' ? init.body : ''),
    });
    return new Response(reply.body, { status: reply.status, headers: reply.headers });
  };
  return {
    gateway,
    headers,
    call,
    getPage: async (path) => (await call(path)).json(),
    render: (prompt, variables) => call(...renderCall(prompt, variables, headers)),
  };
};

const renderCall = (prompt: string, variables: object, headers: object): [string, RequestInit] => [
  `/prompts/${encodeURIComponent(prompt)}/render`,
  {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ variables }),
  },
];

/** Where the runs of a thread are. */
export const runsOf = (thread: string): string => `/threads/${encodeURIComponent(thread)}/runs`;

/** Where the checkpoints of a job are. */
export const checkpointsOf = (job: string): string =>
  `/fine_tuning/jobs/${encodeURIComponent(job)}/checkpoints`;

/** A call for each list, policy and prompt that there is, by the name of its part. */
export const callsOf = async ({
  gateway: { records },
  headers,
}: OpenScenario): Promise<Record<string, [path: string, init: RequestInit]>> => {
  const get = { headers };
  const threads = (await records.threads.list()).map(
    ({ id }) => [`threads/${id}`, [runsOf(id), get]] as const,
  );
  const jobs = (await records.jobs.list()).map(({ id }) => [`jobs/${id}`, [checkpointsOf(id), get]] as const);
  const policies = (await records.policies.list()).map(
    ({ id, status }) => [`policies/${id}`, [`/policies/rate-limits/${id}?status=${status}`, get]] as const,
  );
  const prompts = (await records.prompts.list()).map(
    ({ id }) => [`prompts/${id}`, renderCall(id, {}, headers)] as const,
  );
  const batches = [['batches', ['/batches', get]]] as const;
  return Object.fromEntries(
    [...threads, ...batches, ...jobs, ...policies, ...prompts].map(([name, [path, init]]) => [
      name,
      [path, init],
    ]),
  );
};

/** The texts of the first pages that a call leads to, each with its status and its request's id. */
export const readPages = async (
  call: CallPath,
  [path, init]: readonly [path: string, init: RequestInit],
  maxPages: number,
): Promise<string[]> => {
  const pages: string[] = [];
  const isList = init.method !== 'POST' && !path.includes('?');
  for (let query = isList ? '?limit=100' : ''; pages.length < maxPages; ) {
    const response = await call(path + query, init);
    const text = await response.text();
    pages.push(`${response.status} ${response.headers.get('x-request-id')} ${text}`);
    const { has_more, last_id }: Partial<Page<unknown>> = JSON.parse(text);
    if (has_more !== true) break;
    query = `?limit=100&after=${encodeURIComponent(last_id ?? '')}`;
  }
  return pages;
};

/** The records of a whole list, page by page. */
export const walkPages = async <Item extends { readonly id: string }>(
  { getPage }: OpenScenario,
  path: string,
  limit: number,
): Promise<(readonly Item[])[]> => {
  const pages: (readonly Item[])[] = [];
  for (let after = ''; ; ) {
    const { data, has_more } = await getPage<Item>(
      `${path}?limit=${limit}&after=${encodeURIComponent(after)}`,
    );
    pages.push(data);
    if (!has_more) return pages;
    after = data.at(-1)?.id ?? '';
  }
};

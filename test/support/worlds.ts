// What the tests of worlds share: calls of a gateway without a transport, and everything that a world answers.
import type { Control } from '../../src/control/control.ts';
import { type GatewayOptions, withHandlers } from '../../src/gateway/gateway.ts';
import { openPlainGateway } from '../../src/gateway/open-gateway.ts';
import type { Reply } from '../../src/protocol/call.ts';
import type { Library } from '../../src/scenario/library.ts';
import type { Scenario } from '../../src/scenario/schema.ts';
import { keys } from './transports.ts';
import { withoutWorld } from './without-world.ts';

export interface SentCall {
  readonly path: string;
  readonly session?: string | undefined;
  /** Makes it a POST. */
  readonly body?: object | undefined;
}

/** A gateway, with a library of scenarios other than the shipped ones where one is given, and how to call it past every transport. */
export const openWorlds = (options?: GatewayOptions, library?: Library) => {
  const { gateway, answer } = withHandlers(openPlainGateway(options ?? {}, library));
  const send = ({ path, session, body }: SentCall): Reply => {
    const [before = '', query = ''] = path.split('?');
    const headers: Record<string, string | undefined> = {
      ...keys,
      'content-type': body && 'application/json',
      'x-mock-session': session,
    };
    const { bytes: _, ...reply } = answer({
      method: body === undefined ? 'GET' : 'POST',
      path: `/v1${before}`,
      query,
      header: (name) => headers[name],
      headers: () => headers,
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    });
    return reply; // its bytes are those of its body
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies that the contract was held against already
  const getJson = (path: string, session?: string): any => JSON.parse(send({ path, session }).body ?? 'null');
  return { gateway, send, getJson };
};

export type Worlds = ReturnType<typeof openWorlds>;

/** The calls that show the whole of a world, with all that it has now. */
export const callsOf = async ({ records }: Control): Promise<SentCall[]> => {
  const idsOf = async (kind: 'threads' | 'jobs' | 'policies' | 'prompts'): Promise<string[]> =>
    (await records[kind].list()).map(({ id }) => encodeURIComponent(id));
  return [
    ...(await idsOf('threads')).flatMap((id) => [
      { path: `/threads/${id}/runs?limit=100` },
      { path: `/threads/${id}/runs?limit=100&order=asc` },
    ]),
    { path: '/batches?limit=100' },
    ...(await idsOf('jobs')).map((id) => ({ path: `/fine_tuning/jobs/${id}/checkpoints?limit=1000` })),
    ...(await idsOf('policies')).flatMap((id) =>
      ['active', 'archived'].map((status) => ({ path: `/policies/rate-limits/${id}?status=${status}` })),
    ),
    ...(await idsOf('prompts')).map((id) => ({
      path: `/prompts/${id}/render`,
      body: { variables: { name: 'Ada', text: 'words' } },
    })),
  ];
};

/** Everything that a world answers, by path: the whole replies, headers included. */
export const readWorld = ({ send }: Pick<Worlds, 'send'>, calls: readonly SentCall[], session?: string) =>
  Object.fromEntries(
    calls.map((call) => {
      const reply = send({ ...call, session });
      return [call.path, { ...reply, headers: withoutWorld(Object.entries(reply.headers)) }];
    }),
  );

/** A world with a bit of everything. */
export const smallScenario = {
  seed: 5,
  threads: {
    thread_a: { runs: 24 },
    thread_b: { runs: { queued: 1, completed: 2 } },
    thread_none: {},
  },
  batches: 23,
  jobs: { job_a: { checkpoints: 8, made: 3 }, job_b: { checkpoints: 2 } },
  policies: {
    seeded: 3,
    records: [
      { id: 'aaaaaaaa-0000-4000-8000-000000000001', status: 'active' },
      { id: 'aaaaaaaa-0000-4000-8000-000000000002', status: 'archived' },
    ],
  },
  prompts: {
    greeting: { messages: [{ role: 'user', content: 'Hello {{name}}' }] },
    farewell: { messages: [{ role: 'user', content: 'Bye {{name}}{{>greeting}}' }] },
  },
} satisfies Scenario;

// A small world, and everything that a world answers.

import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import type { OpenGateway, SentCall } from './open-gateway.ts';
import { withoutWorld } from './without-world.ts';

/** A call that gives its path. */
export type WorldCall = SentCall & { readonly path: string };

/** The calls that show the whole of a world, with all that it has now. */
export const callsOf = async ({ records }: Control): Promise<WorldCall[]> => {
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

/** Everything that a world answers, by path: what a client sees of the replies. */
export const readWorld = (
  { send }: Pick<OpenGateway, 'send'>,
  calls: readonly WorldCall[],
  session?: string,
) =>
  Object.fromEntries(
    calls.map((call) => {
      const { status, headers, body } = send({ ...call, session });
      return [call.path, { status, headers: withoutWorld(Object.entries(headers)), body }];
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

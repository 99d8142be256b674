// What the tests of `capture` share: accounts to capture, and everything that they answer.

import type { Wanted } from '../../src/capture/account.ts';
import { type CaptureResult, capture } from '../../src/capture/capture.ts';
import type { Control } from '../../src/control/types.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import type { OpenGateway } from './open-gateway.ts';
import { openServer } from './open-gateway.ts';
import { isFull } from './settings.ts';

export const captureKeys = { apiKey: 'sk-live-0123456789', virtualKey: 'vk-live-0123456789' };

/** Whatever there is in a world. */
export const wantAll = async ({ records }: Control): Promise<Wanted> => {
  const idsOf = async (kind: 'threads' | 'jobs' | 'policies' | 'prompts'): Promise<string[]> =>
    (await records[kind].list()).map(({ id }) => id);
  return {
    thread: await idsOf('threads'),
    job: await idsOf('jobs'),
    policy: await idsOf('policies'),
    prompt: await idsOf('prompts'),
    variables: { name: 'Ada' },
    maxRecords: 1000,
  };
};

/** Captures the whole of a scenario from a server of it. */
export const captureScenario = async (
  scenario: string | Scenario,
  isRaw: boolean,
  some: Partial<Wanted> = {},
): Promise<CaptureResult> => {
  const server = await openServer({ scenario });
  const target = { baseUrl: server.baseUrl, ...captureKeys, rate: undefined };
  return capture(target, { ...(await wantAll(server)), ...some }, isRaw);
};

/** The bodies of all pages of a list, in whatever order it has them. */
export const readPages = ({ send }: Pick<OpenGateway, 'send'>, path: string): string[] => {
  const bodies: string[] = [];
  for (let after = ''; ; ) {
    const body = send({ path: `${path}${after}` }).body ?? '';
    bodies.push(body);
    const { data, has_more } = JSON.parse(body);
    if (!has_more) return bodies;
    after = `&after=${encodeURIComponent(data.at(-1).id)}`;
  }
};

/** The paths of lists, pages of several sizes and in every order that the contract has, and of single records. */
export const pathsOf = ({ thread = [], job = [], policy = [] }: Wanted) => {
  const limits = isFull ? [1, 7, 20, 100] : [13, 100];
  const of = (ids: readonly string[]): string[] => ids.map(encodeURIComponent);
  return {
    lists: [
      ...of(thread).flatMap((id) =>
        limits.flatMap((limit) =>
          ['asc', 'desc'].map((order) => `/threads/${id}/runs?limit=${limit}&order=${order}`),
        ),
      ),
      ...limits.map((limit) => `/batches?limit=${limit}`),
      ...of(job).flatMap((id) => limits.map((limit) => `/fine_tuning/jobs/${id}/checkpoints?limit=${limit}`)),
    ],
    policies: of(policy).flatMap((id) =>
      ['active', 'archived'].map((status) => `/policies/rate-limits/${id}?status=${status}`),
    ),
  };
};

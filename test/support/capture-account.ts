// What the tests of `capture` share.

import type { Wanted } from '../../src/capture/account.ts';
import { type CaptureResult, capture } from '../../src/capture/capture.ts';
import type { Control } from '../../src/control/types.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import { openServer } from './open-gateway.ts';

export const captureKeys = { apiKey: 'sk-live-0123456789', virtualKey: 'vk-live-0123456789' };

/** Whatever there is in a world. */
const wantAll = async ({ records }: Control): Promise<Wanted> => {
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

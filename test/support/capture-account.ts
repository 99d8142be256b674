// What the tests of `capture` share.

import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import type { AccountSelection } from '../../src/tools/capture/account.ts';
import { type CaptureResult, capture } from '../../src/tools/capture/capture.ts';
import { openServer } from './open-gateway.ts';

export const captureKeys = { apiKey: 'sk-live-0123456789', virtualKey: 'vk-live-0123456789' };

/** Whatever there is in a world. */
const wantAll = async ({ records }: Control): Promise<AccountSelection> => {
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
  some: Partial<AccountSelection> = {},
): Promise<CaptureResult> => {
  const server = await openServer({ scenario });
  const target = { baseUrl: server.baseUrl, ...captureKeys, rate: undefined };
  return capture(target, { ...(await wantAll(server)), ...some }, isRaw);
};

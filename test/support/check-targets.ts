// Gateways of our own as checks see them, without a transport.

import type { Control } from '../../src/index.ts';
import type { CheckCall, CheckReply, CheckSamples, CheckTarget } from '../../src/tools/conformance/types.ts';
import type { OpenGateway } from './open-gateway.ts';

/** What there is to look at in a world: of each kind that which shows most. */
const findSamples = async ({ records }: Control): Promise<CheckSamples> => {
  const byLength = async (ids: readonly { id: string }[], count: (id: string) => Promise<unknown[]>) => {
    const sizes = await Promise.all(ids.map(async ({ id }) => ({ id, size: (await count(id)).length })));
    return sizes.sort((a, b) => b.size - a.size).flatMap(({ id, size }) => (size > 0 ? [id] : []));
  };
  const limit = 150;
  const policies = await records.policies.list();
  const prompts = await records.prompts.list();
  const prompt = prompts.find(({ id }) => id === 'prompt_welcome') ?? prompts[0];
  const [threads, jobs] = [await records.threads.list(), await records.jobs.list()];
  const [thread = threads[0]?.id, otherThread] = await byLength(threads, (thread_id) =>
    records.runs.list({ thread_id, limit }),
  );
  const [job = jobs[0]?.id] = await byLength(jobs, (fine_tuning_job_id) =>
    records.checkpoints.list({ fine_tuning_job_id, limit }),
  );
  return {
    thread,
    otherThread,
    job,
    policy: policies.find(({ status }) => status === 'active')?.id,
    archivedPolicy: policies.find(({ status }) => status === 'archived')?.id,
    prompt: prompt?.id,
    variables: prompt && variablesOf(JSON.stringify(prompt)),
    probePrompt: undefined,
  } satisfies Record<keyof CheckSamples, unknown>;
};

const found = new Map<unknown, Promise<CheckSamples>>();

/** The same of a gateway that nobody changed since it was opened with a scenario: looked for once, as it takes a while. */
export const findSamplesOf = (scenario: unknown, gateway: Control): Promise<CheckSamples> => {
  const samples = found.get(scenario) ?? findSamples(gateway);
  found.set(scenario, samples);
  return samples;
};

/** A text for each plain tag of a template. */
const variablesOf = (template: string): Record<string, string> =>
  Object.fromEntries([...template.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => [name, 'a text']));

/** A gateway of our own as a target, with keys that it accepts. */
export interface AnswerTarget extends CheckTarget {
  /** Answers a call at once. */
  readonly respond: (call: CheckCall) => CheckReply;
}

/** Checks then call a gateway past every transport. Without `samples`, it looks for them in the gateway. */
export const createAnswerTarget = async (
  { gateway, keys, send }: OpenGateway,
  samples?: Promise<CheckSamples>,
): Promise<AnswerTarget> => {
  const respond = ({
    method,
    path,
    query = '',
    headers,
    bearer,
    without = [],
    body,
  }: CheckCall): CheckReply => {
    const reply = send({
      method,
      path: `${path}?${query}`,
      headers: {
        'content-type': undefined, // only if the check sends it
        'vendor-beta': 'assistants=v2',
        ...(bearer && { authorization: `Bearer ${keys['x-gateway-api-key']}` }),
        ...headers,
        ...Object.fromEntries(without.map((name) => [name, undefined])),
      },
      body,
    });
    return {
      status: reply.status,
      header: (name) => reply.headers[name] ?? null,
      text: reply.body ?? '',
    };
  };
  return { samples: await (samples ?? findSamples(gateway)), respond, call: async (call) => respond(call) };
};

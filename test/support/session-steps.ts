// What clients do in sessions of their own, and what each would see alone.

import type { Control } from '../../src/control/types.ts';
import { openGateway } from './open-gateway.ts';
import { smallScenario } from './read-world.ts';

/** What one client does next, in its own session. */
export const actions = [
  'create',
  'update',
  'delete',
  'advance',
  'save',
  'restore',
  'reset',
  'page',
  'page',
] as const;
export type Action = (typeof actions)[number];

/** How a client reaches its session; the text holds all that a reply says of the world. */
export interface Client {
  readonly control: Control;
  readonly read: (path: string) => Promise<string>;
}

const lists = ['/batches', '/threads/thread_a/runs', '/fine_tuning/jobs/job_a/checkpoints'];

/** Does one step, and tells what was seen. It follows from the number of the client alone. */
export const takeStep = async (
  { control, read }: Client,
  action: Action,
  client: number,
): Promise<unknown> => {
  const { records, clock, state, reset } = control;
  switch (action) {
    case 'create':
      await records.runs.create({ thread_id: 'thread_a', metadata: { client: String(client) } });
      return records.batches.create({ metadata: { client: String(client) } });
    case 'update': {
      const [batch] = await records.batches.list({ limit: 1 });
      return batch && records.batches.update(batch.id, { endpoint: `/v1/of-${client}` });
    }
    case 'delete': {
      const [run] = await records.runs.list({ thread_id: 'thread_a', limit: 1 });
      return run && records.runs.delete(run.id);
    }
    case 'advance':
      return clock.advance(60 + client);
    case 'save':
      return state.save();
    case 'restore':
      return state.restore().catch(String);
    case 'reset':
      return reset();
    case 'page': {
      const seen: string[] = [];
      for (const path of lists) {
        const first = await read(`${path}?limit=5`);
        const { last_id } = JSON.parse(first.slice(first.indexOf('{')));
        seen.push(first, await read(`${path}?limit=5&after=${last_id ?? ''}`));
      }
      return seen;
    }
  }
};

export const takeSteps = async (
  client: Client,
  steps: readonly Action[],
  number: number,
): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for (const action of steps) seen.push(await takeStep(client, action, number));
  return seen;
};

/** What the same steps show where nobody else is there. */
export const takeStepsAlone = (steps: readonly Action[], number: number): Promise<unknown[]> => {
  const session = `client-${number}`;
  const { gateway, send } = openGateway({ scenario: smallScenario });
  const read = async (path: string): Promise<string> => {
    const { status, headers, body } = send({ path, session });
    return `${status} ${headers['x-request-id']} ${body}`;
  };
  return takeSteps({ control: gateway.session(session), read }, steps, number);
};

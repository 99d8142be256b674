import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Control } from '../src/control/control.ts';
import { type GatewayServer, startServer } from '../src/server.ts';
import { createRandom } from '../src/world/random.ts';
import { buildFolder } from './build-once.ts';
import { keys } from './faces.ts';
import { openWorlds, smallScenario } from './worlds.ts';

/** What one client does next, in its own session. */
const actions = [
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
type Action = (typeof actions)[number];

/** How a client reaches its session; the text holds all that a reply says of the world. */
interface Client {
  readonly control: Control;
  readonly read: (path: string) => Promise<string>;
}

const lists = ['/batches', '/threads/thread_a/runs', '/fine_tuning/jobs/job_a/checkpoints'];

/** Does one step, and tells what was seen. It follows from the number of the client alone. */
const takeStep = async ({ control, read }: Client, action: Action, client: number): Promise<unknown> => {
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

const takeSteps = async (client: Client, steps: readonly Action[], number: number): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for (const action of steps) seen.push(await takeStep(client, action, number));
  return seen;
};

/** What the same steps show where nobody else is there. */
const takeStepsAlone = (steps: readonly Action[], number: number): Promise<unknown[]> => {
  const session = `client-${number}`;
  const { gateway, send } = openWorlds({ scenario: smallScenario });
  const read = async (path: string): Promise<string> => {
    const { status, headers, body } = send({ path, session });
    return `${status} ${headers['x-request-id']} ${body}`;
  };
  return takeSteps({ control: gateway.session(session), read }, steps, number);
};

const openClient = (server: GatewayServer, number: number): Client => {
  const session = `client-${number}`;
  return {
    control: server.session(session),
    read: async (path) => {
      const byUrl = number % 2 === 0;
      const reply = byUrl
        ? await fetch(`${server.url}/sessions/${session}/v1${path}`, { headers: keys })
        : await fetch(server.baseUrl + path, { headers: { ...keys, 'x-mock-session': session } });
      return `${reply.status} ${reply.headers.get('x-request-id')} ${await reply.text()}`;
    },
  };
};

describe('sessions used at once', () => {
  test('200 clients that create, change, advance, save, restore, reset and page see what each would see alone', async () => {
    const server = await startServer({ scenario: smallScenario });
    try {
      const scripts = Array.from({ length: 200 }, (_, number) => {
        const random = createRandom('script', number);
        return Array.from({ length: 9 }, () => random.pick(actions)).concat('page');
      });
      const seen = await Promise.all(
        scripts.map((steps, number) => takeSteps(openClient(server, number), steps, number)),
      );
      for (const [number, steps] of scripts.entries())
        expect(seen[number]).toEqual(await takeStepsAlone(steps, number));
    } finally {
      await server.close();
    }
  }, 240_000);

  test('in any interleaving of their steps, no session sees another', async () => {
    const script = fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(script, { minLength: 2, maxLength: 4 }), fc.nat(), async (scripts, seed) => {
        const { gateway, send } = openWorlds({ scenario: smallScenario });
        const random = createRandom('order', seed);
        const left = scripts.map((steps) => [...steps]);
        const seen: unknown[][] = scripts.map(() => []);
        const clients = scripts.map((_, number): Client => {
          const session = `client-${number}`;
          const read = async (path: string): Promise<string> => {
            const { status, headers, body } = send({ path, session });
            return `${status} ${headers['x-request-id']} ${body}`;
          };
          return { control: gateway.session(session), read };
        });
        while (left.some(({ length }) => length > 0)) {
          const number = random.int(0, left.length - 1);
          const [action, client] = [left[number]?.shift(), clients[number]];
          if (action && client) seen[number]?.push(await takeStep(client, action, number));
        }
        for (const [number, steps] of scripts.entries())
          expect(seen[number]).toEqual(await takeStepsAlone(steps, number));
      }),
      { numRuns: 30 },
    );
  });
});

/** Prints how many bytes 10,000 sessions leave behind, after as many as there may be at once. */
const program = `
  import { createGateway } from ${JSON.stringify(pathToFileURL(`${buildFolder}/index.js`).href)};
  const gateway = createGateway();
  const use = async (from, to) => {
    for (let number = from; number < to; number += 1) {
      const { records, clock } = gateway.session('s' + number);
      await records.batches.create({});
      await clock.advance('1m');
      await records.runs.list({ thread_id: 'thread_small' });
    }
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await use(0, 3_000);
  const after = await use(3_000, 13_000);
  console.log(JSON.stringify({ before, after, sessions: (await gateway.sessions.list()).length }));
`;

test('10,000 sessions, one after another, leave memory flat', async () => {
  const args = ['--expose-gc', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, after, sessions } = JSON.parse(stdout);
  expect(sessions).toBe(1000);
  const generous = 10_000_000; // 10,000 worlds would take forty times as much
  expect(after - before).toBeLessThan(generous);
}, 240_000);

// Many clients over HTTP, each in a session of its own.

import { base, en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { openServer } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { actions, type Client, takeSteps, takeStepsAlone } from '../support/session-steps.ts';
import { volume } from '../support/settings.ts';
import { keys } from '../support/transports.ts';

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

test('clients that create, change, advance, save, restore, reset and page see what each would see alone', async () => {
  const server = await openServer({ scenario: smallScenario });
  const scripts = Array.from({ length: volume(200, 12) }, (_, number) => {
    const { helpers } = new Faker({ locale: [en, base], seed: number });
    return Array.from({ length: 9 }, () => helpers.arrayElement(actions)).concat('page');
  });
  const seen = await Promise.all(
    scripts.map((steps, number) => takeSteps(openClient(server, number), steps, number)),
  );
  for (const [number, steps] of scripts.entries())
    expect(seen[number]).toEqual(await takeStepsAlone(steps, number));
}, 240_000);

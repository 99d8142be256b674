// What one process answers, another one answers by the same bytes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeScenario } from '../../src/node.ts';
import { openGateway } from '../support/open-gateway.ts';
import { callsOf, readWorld, smallScenario } from '../support/read-world.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';
import { change, everyChange } from '../support/worlds-changes.ts';

test('a share of the calls hits the same ones', async () => {
  const faults = ['listBatches share=30%: 503', 'listBatches share=20% times=3: 429'];
  const { send } = openGateway({ seed: 9, faults });
  const expected = Array.from({ length: 40 }, () => send({ path: '/batches' }).status);
  expect(new Set(expected)).toEqual(new Set([200, 429, 503]));
  const cli = await serveCli('--seed', '9', ...faults.flatMap((fault) => ['--fault', fault]));
  const statuses: number[] = [];
  for (let index = 0; index < 40; index += 1)
    statuses.push((await fetch(`${cli.baseUrl}/batches`, { headers: keys })).status);
  expect(statuses).toEqual(expected);
});

describe('an exported state', () => {
  test.each(['state.yaml', 'state.json'])('gives the same bytes in a new process: %s', async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-mock-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const worlds = openGateway({ scenario: smallScenario });
    await change(worlds.gateway, everyChange); // nothing is as it was
    const file = join(folder, name);
    await writeScenario(file, await worlds.gateway.state.export());
    const calls = await callsOf(worlds.gateway);
    const expected = readWorld(worlds, calls);
    const { baseUrl } = await serveCli('--scenario', file, '--quiet');
    for (const { path, body } of calls) {
      const reply = await fetch(baseUrl + path, {
        method: body ? 'POST' : 'GET',
        headers: { ...keys, 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : null,
      });
      expect({
        status: reply.status,
        headers: Object.fromEntries(reply.headers),
        body: await reply.text(),
      }).toMatchObject(expected[path] ?? {});
    }
  });
});

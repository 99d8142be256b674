// A server that has files of scenarios with errors. What is reported about each of them: `test/scenarios/broken-scenarios.test.ts`.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ScenarioError } from '../../src/index.ts';
import { startServer } from '../../src/server.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const folder = fileURLToPath(new URL('../broken-scenarios/', import.meta.url));

describe('after a load that failed, the old state stays', () => {
  const startWithFolder = async () => {
    const server = await openServer({ scenarios: [folder], scenario: { batches: 2, seed: 5 } });
    const read = async (): Promise<string> =>
      (await fetch(`${server.baseUrl}/batches`, { headers: keys })).text();
    return { server, read };
  };

  test.each(['unknown-key', 'bad-json', 'billion-laughs'])('that of %s', async (name) => {
    const { server, read } = await startWithFolder();
    await server.records.batches.create({ id: 'batch_made' });
    await server.clock.advance('10m');
    const [batches, clock] = [await read(), await server.clock.now()];
    await expect(server.scenario.load(name)).rejects.toThrow(ScenarioError);
    expect([await read(), await server.clock.now()]).toEqual([batches, clock]);
    expect(await server.scenario.current()).toMatchObject({ name: 'inline', seed: 5 });
  });

  test('an object with errors, or a name that there is not', async () => {
    const { server, read } = await startWithFolder();
    const batches = await read();
    await expect(server.scenario.load({ batches: -1 })).rejects.toThrow(
      'batches: -1 is too small: at least 0',
    );
    await expect(server.scenario.load('defualt')).rejects.toThrow('Did you mean "default"?');
    expect(await read()).toBe(batches);
  });

  test('a server does not start with one', async () => {
    await expect(startServer({ scenario: join(folder, 'unknown-key.yaml') })).rejects.toThrow(
      'unknown-key.yaml:1:1 descripton: unknown key. Did you mean "description"?',
    );
  });
});

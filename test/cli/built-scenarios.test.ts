// The scenarios that ship are compiled into the build, which answers them by the bytes of the sources.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGateway, type ShippedScenario, scenarioNames } from '../../src/index.ts';
import { openGateway, type SentCall } from '../support/open-gateway.ts';
import { partsOf, readPages } from '../support/scenario-calls.ts';
import { isFull } from '../support/settings.ts';
import { buildFolder } from '../support/write-built.ts';

const built: typeof import('../../src/index.ts') = await import(join(buildFolder, 'index.js'));

test('all of them are in the build, as the sources load them', async () => {
  expect(built.scenarioNames()).toEqual(scenarioNames());
  expect(await built.createGateway().scenario.list()).toEqual(await createGateway().scenario.list());
});

const some: readonly ShippedScenario[] = isFull ? scenarioNames() : ['in-flight', 'unicode'];

test.each(some)('the build answers %s by the same bytes', async (scenario) => {
  const { gateway, send, keys } = openGateway({ scenario });
  const other = built.createGateway({ scenario });
  // A clock that runs is stopped, so that both read the same time.
  for (const { clock } of [gateway, other]) {
    await clock.freeze();
    await clock.set((await gateway.clock.now()).now);
  }
  const sendToBuilt = async ({ path, headers, body }: SentCall) => {
    const given = { ...keys, 'content-type': 'application/json', ...(headers as Record<string, string>) };
    const reply = await other.fetch(`http://gateway.test/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: given,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
  };
  for (const call of Object.values(await partsOf(gateway)))
    expect(await readPages(sendToBuilt, call, 3)).toEqual(await readPages(send, call, 3));
});

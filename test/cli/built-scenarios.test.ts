// The scenarios that ship are compiled into the build.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createGateway, type Scenario, scenarioNames } from '../../src/index.ts';
import { openGateway, type SentCall } from '../support/open-gateway.ts';
import { partsOf, readPages } from '../support/scenario-calls.ts';
import { isFull, volume } from '../support/settings.ts';
import { type ServingCli, serveCliUntil } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

test.each(scenarioNames())('%s is in the build, checked, as the sources load it', async (scenario) => {
  const built: typeof import('../../src/index.ts') = await import(join(buildFolder, 'index.js'));
  const state = async ({ clock, state }: ReturnType<typeof createGateway>) => {
    await clock.freeze();
    return { ...(await state.export()), clock: {} }; // that of `live` runs from its very start
  };
  expect(await state(built.createGateway({ scenario }))).toEqual(await state(createGateway({ scenario })));
  const records = async ({ clock, records }: ReturnType<typeof createGateway>) => {
    await clock.freeze();
    await clock.set('2026-03-01T00:00:00Z');
    return [...(await records.batches.list({ limit: 3 })), ...(await records.runs.list({ limit: 3 }))];
  };
  expect(await records(built.createGateway({ scenario }))).toEqual(
    await records(createGateway({ scenario })),
  );
});

/** The calls of the first records of each kind, of threads say; in full, those of all records. */
const firstOfEachKind = <Call>(calls: Readonly<Record<string, Call>>): readonly Call[] => {
  const kinds = new Map<string, Call[]>();
  for (const [name, call] of Object.entries(calls)) {
    const kind = name.split('/')[0] ?? '';
    kinds.set(kind, [...(kinds.get(kind) ?? []), call]);
  }
  return [...kinds.values()].flatMap((all) => all.slice(0, volume(all.length, 3)));
};

describe('the command line', () => {
  let cli: ServingCli;
  beforeAll(async () => {
    let end = async (): Promise<void> => {};
    cli = await serveCliUntil((given) => {
      end = given;
    }, '--quiet');
    return () => end();
  });

  test.each(isFull ? scenarioNames() : (['default', 'unicode'] as const))(
    'answers %s by the same bytes as another process',
    async (name) => {
      const { speed } = await createGateway({ scenario: name }).clock.now();
      // A clock that runs is held, so that both read the same time.
      const held: Scenario = { extends: name, clock: { speed: 0 } };
      const scenario = speed > 0 ? held : name;
      const { gateway, send, keys } = openGateway({ scenario });
      const root = cli.baseUrl.replace(/\/v1$/, '');
      await connect(root).sessions.create(name, { scenario });
      const sendToServer = async ({ path, headers, body }: SentCall) => {
        const reply = await fetch(`${root}/sessions/${name}/v1${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...keys, 'content-type': 'application/json', ...(headers as Record<string, string>) },
          body: body === undefined ? null : JSON.stringify(body),
        });
        return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
      };
      for (const call of firstOfEachKind(await partsOf(gateway)))
        expect(await readPages(sendToServer, call, 3)).toEqual(await readPages(send, call, 3));
    },
  );
});

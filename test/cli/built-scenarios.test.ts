// The scenarios that ship are compiled into the build, and a process answers them by the bytes of another one.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createGateway, type Scenario, scenarioNames } from '../../src/index.ts';
import { openGateway, type SentCall } from '../support/open-gateway.ts';
import { partsOf, readPages } from '../support/scenario-calls.ts';
import { isFull, volume } from '../support/settings.ts';
import { type ServingCli, serveCliUntil } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

test('all of them are in the build, as the sources load them', async () => {
  const built: typeof import('../../src/index.ts') = await import(join(buildFolder, 'index.js'));
  expect(built.scenarioNames()).toEqual(scenarioNames());
  expect(await built.createGateway().scenario.list()).toEqual(await createGateway().scenario.list());
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

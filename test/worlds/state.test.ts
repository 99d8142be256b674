import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../src/index.ts';
import { readScenario, writeScenario } from '../../src/node.ts';
import { makeFolder } from '../support/make-folder.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { callsOf, readWorld, smallScenario } from '../support/read-world.ts';
import { volume } from '../support/settings.ts';
import { anyChanges, change, everyChange } from '../support/worlds-changes.ts';

const open = () => openGateway({ scenario: smallScenario });

/** A world of which nothing is as it was. */
const openChanged = async (): Promise<OpenGateway> => {
  const worlds = open();
  await change(worlds.gateway, everyChange);
  return worlds;
};

describe('a state that was saved', () => {
  test('is restored to the same bytes, headers included, after everything was changed', async () => {
    const worlds = await openChanged();
    const { gateway } = worlds;
    await gateway.state.save();
    const [calls, scenario] = [await callsOf(gateway), await gateway.scenario.current()];
    const before = readWorld(worlds, calls);
    for (const detour of ['changes', 'another scenario']) {
      if (detour === 'changes') await change(gateway, everyChange);
      else await gateway.scenario.load('empty');
      await gateway.clock.run(5);
      expect(readWorld(worlds, calls)).not.toEqual(before);
      await gateway.state.restore();
      expect(readWorld(worlds, calls)).toEqual(before);
      expect((await callsOf(gateway)).map(({ path }) => path)).toEqual(calls.map(({ path }) => path));
      expect((await gateway.clock.now()).speed).toBe(0);
      expect(await gateway.scenario.current()).toEqual(scenario);
    }
  });

  test('has a name, and one that was not saved is refused in words that help', async () => {
    const { gateway } = open();
    await expect(gateway.state.restore()).rejects.toThrow('Saved states: none');
    await gateway.state.save('a');
    await gateway.records.batches.create({});
    await gateway.state.save('b');
    await expect(gateway.state.restore('c')).rejects.toThrow('Saved states: a, b');
    await gateway.state.restore('a');
    expect(await gateway.records.batches.list()).toHaveLength(23);
    await gateway.state.restore('b');
    expect(await gateway.records.batches.list()).toHaveLength(24);
  });
});

describe('an exported state', () => {
  test('is a valid scenario: it is read from a file as it was written, and its own export is the same', async () => {
    const folder = makeFolder();
    const { gateway } = await openChanged();
    const exported = await gateway.state.export();
    for (const name of ['state.yaml', 'state.json']) {
      await writeScenario(join(folder, name), exported);
      expect(await readScenario(join(folder, name))).toEqual(exported);
    }
    expect(await openGateway({ scenario: exported }).gateway.state.export()).toEqual(exported);
  });

  test('is a copy: to change it changes nothing, before and after it is loaded', async () => {
    const worlds = await openChanged();
    const calls = await callsOf(worlds.gateway);
    const exported = await worlds.gateway.state.export();
    const before = readWorld(worlds, calls);
    const other = openGateway({ scenario: structuredClone(exported) });
    await other.gateway.state.import(exported);
    exported.seed = 99;
    for (const thread of Object.values(exported.threads ?? {})) thread.records = [];
    expect(readWorld(other, calls)).toEqual(before);
  });

  test('is imported as the start of the world, to which a reset returns', async () => {
    const worlds = await openChanged();
    const exported = await worlds.gateway.state.export();
    const calls = await callsOf(worlds.gateway);
    const before = readWorld(worlds, calls);
    const { gateway, send } = openGateway();
    await gateway.state.import(exported);
    await change(gateway, everyChange);
    await gateway.reset();
    expect(readWorld({ send }, calls)).toEqual(before);
  });
});

test('a state after any changes in any order is exported whole: a fresh gateway answers the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(anyChanges, async (steps) => {
      const worlds = open();
      await change(worlds.gateway, steps);
      const exported = await worlds.gateway.state.export();
      const fresh = openGateway({ scenario: exported });
      // The same text, so that a file that is loaded and saved has no differences.
      expect(JSON.stringify(await fresh.gateway.state.export())).toBe(JSON.stringify(exported));
      const calls = await callsOf(worlds.gateway);
      expect(await callsOf(fresh.gateway)).toEqual(calls);
      expect(readWorld(fresh, calls)).toEqual(readWorld(worlds, calls));
      await worlds.gateway.state.save();
      await worlds.gateway.state.restore();
      expect(readWorld(worlds, calls)).toEqual(readWorld(fresh, calls));
      for (const now of ['1970-01-01T00:00:00Z', '2026-01-15T12:05:00.5Z', '9999-12-31T23:59:59Z']) {
        for (const { gateway } of [worlds, fresh]) await gateway.clock.set(now);
        const then = await callsOf(worlds.gateway);
        expect(readWorld(fresh, then), now).toEqual(readWorld(worlds, then));
      }
    }),
    { numRuns: volume(150, 3), examples: [[everyChange]] },
  );
}, 240_000);

test('a fork of any state and the state itself go on alike', async () => {
  await fc.assert(
    fc.asyncProperty(anyChanges, anyChanges, async (steps, more) => {
      const { gateway, send } = open();
      await change(gateway.session('origin'), steps);
      await gateway.sessions.create('fork', { session: 'origin' });
      const both = ['origin', 'fork'].map(async (name) => {
        const control = gateway.session(name);
        await control.state.save();
        await change(
          control,
          more.filter(([one]) => one !== 'reset'),
        );
        const seen = Object.values(readWorld({ send }, await callsOf(control), name));
        return seen.map(({ status, body }) => ({ status, body }));
      });
      const [origin, fork] = await Promise.all(both);
      expect(fork).toEqual(origin);
    }),
    { numRuns: volume(60, 3) },
  );
}, 240_000);

test('saved states are listed, the latest last', async () => {
  const { state, clock, session } = createGateway({ scenario: 'empty' });
  await state.save('a');
  await state.save('b');
  await clock.advance('1h');
  await state.save('a');
  const scenario = 'empty';
  expect(await state.list()).toEqual([
    { name: 'b', scenario, now: '2026-01-15T12:00:00.000Z' },
    { name: 'a', scenario, now: '2026-01-15T13:00:00.000Z' },
  ]);
  expect(await session('other').state.list()).toEqual([]);
});

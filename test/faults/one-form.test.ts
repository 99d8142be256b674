// A fault continues in the same way, however its world was moved: it has one form for undo, save, export, fork and store.
import { describe, expect, test } from 'vitest';
import { parseJson, toJsonText } from '../../src/core/util/json.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { fromStored, toStoredState } from '../../src/service/control/session-store.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const lines = [
  'listBatches for=10m: 503',
  'listBatches#2- every=2: 429',
  'listBatches share=1%: delay 1ms',
  'listBatches: cursor-loop',
];

/** Returns the control of a world that continues the one of a gateway. */
const moves: Record<string, (opened: OpenGateway) => Promise<Control>> = {
  'at once': async ({ gateway }) => gateway,
  'after undo': async ({ gateway }) => {
    await gateway.faults.clear();
    await gateway.state.undo();
    return gateway;
  },
  'after save and restore': async ({ gateway }) => {
    await gateway.state.save();
    await gateway.reset();
    await gateway.state.restore();
    return gateway;
  },
  'after an export and import': async ({ gateway }) =>
    openGateway({ scenario: await gateway.state.export() }).gateway,
  'in a fork': async ({ gateway }) => {
    await gateway.sessions.create('fork', { session: 'default' });
    return gateway.session('fork');
  },
  'after a restart of the server': async ({ gateway, commandContextOf }) => {
    const session = commandContextOf('default').open();
    const text = toJsonText(toStoredState(session));
    const stored = parseJson(text) as ReturnType<typeof toStoredState>; // as it was written above
    Object.assign(session, { state: fromStored(stored, session.start).state });
    return gateway;
  },
};

const openMoved = async (move: (typeof moves)[string]): Promise<Control> => {
  const opened = openGateway({ scenario: { batches: 3 } });
  await opened.gateway.faults.add('*: 418');
  await opened.gateway.faults.add(...lines);
  await opened.gateway.faults.remove('*: 418'); // the ids do not begin with fault_1
  await opened.gateway.clock.advance('1m');
  opened.statuses(3);
  return move(opened);
};

describe.each(Object.entries(moves))('a fault, %s,', (_, move) => {
  test('is listed as before', async () => {
    const stayed = await openMoved(moves['at once'] as typeof move);
    const { faults } = await openMoved(move);
    expect(await faults.list()).toEqual(await stayed.faults.list());
    expect(await faults.add('*: reset')).toMatchObject([{ id: 'fault_6' }]);
  });

  test.each(lines)('is removed by the line that was added: %s', async (line) => {
    const { faults } = await openMoved(move);
    expect(await faults.remove(line)).toBe(true);
    expect(await faults.list()).toHaveLength(3);
  });

  test('is removed by the line that is listed', async () => {
    const { faults } = await openMoved(move);
    for (const { fault } of await faults.list()) expect(await faults.remove(fault)).toBe(true);
  });

  test('keeps its counts if it is updated with the line that was added', async () => {
    const { faults } = await openMoved(move);
    const before = await faults.list();
    for (const [index, { id }] of before.entries()) await faults.update(id, { fault: lines[index] ?? '' });
    expect(await faults.list()).toEqual(before);
  });

  test('restarts with its whole duration after it has ended', async () => {
    const { faults, clock } = await openMoved(move);
    await clock.advance('9m');
    expect(await faults.list()).toMatchObject([{ spent: true }, {}, {}, {}]);
    const { fault, calls } = await faults.update('fault_2', { restart: true });
    expect([fault, calls]).toEqual(['listBatches until=2026-01-15T12:20:00.000Z: 503', 0]);
    expect(await faults.remove(lines[0] ?? '')).toBe(true);
  });
});

test('the form in a scenario has the line that was added, when it began, and its counts', async () => {
  const { state } = await openMoved(moves['at once'] as (typeof moves)[string]);
  expect((await state.export()).faults).toEqual([
    {
      fault: 'listBatches for=600s: 503',
      id: 'fault_2',
      began: '2026-01-15T12:00:00.000Z',
      calls: 3,
      hits: 3,
    },
    {
      fault: 'listBatches#2- every=2: 429',
      calls: 3,
      hits: 0,
      idle: 'the fault "listBatches until=2026-01-15T12:10:00.000Z: 503" came first',
    },
    expect.objectContaining({ fault: 'listBatches share=1%: delay 1ms', calls: 3 }),
    expect.objectContaining({ fault: 'listBatches: cursor-loop', calls: 3, hits: 0 }),
  ]);
});

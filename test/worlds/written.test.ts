// What one session writes is limited, so that an accident in one test is reported there.
import { expect, test } from 'vitest';
import type { Control } from '../../src/control/types.ts';
import { createGateway } from '../../src/index.ts';
import { messageOf } from '../../src/util/message-of.ts';

const text = 'x'.repeat(1_000_000);
const tenFaults = Array.from({ length: 10 }, () => `listRuns: reply 200 body=${'x'.repeat(99_900)}`);
const prompt = (id: string) => ({
  id,
  versions: [{ version: 1, messages: [{ role: 'user', content: text }] }],
});

const write = async ({ records }: Control, count: number) => {
  for (let at = 0; at < count; at += 1) await records.prompts.create(prompt(`p${at}`));
};

test.each<[string, (control: Control, at: number) => Promise<unknown>]>([
  ['records', ({ records }, at) => records.prompts.create(prompt(`p${at}`))],
  ['faults', ({ faults }) => faults.add(...tenFaults)],
  [
    'saved states',
    async ({ scenario, state }, at) => {
      if (at === 0) await scenario.load({ description: text });
      else await state.save(`s${at}`);
    },
  ],
])('a session writes at most 16 MB: %s', async (_name, add) => {
  const { session } = createGateway();
  let written = 0;
  const fill = async () => {
    for (; written < 20; written += 1) await add(session('full'), written);
  };
  await expect(fill()).rejects.toMatchObject({
    message: expect.stringMatching(/has written 1[56]\.\d of at most 16\.0 MB/),
    status: 429,
  });
  expect(written).toBeGreaterThan(13);
  await expect(session('other').records.batches.create({})).resolves.toBeDefined();
});

test('a scenario that a client gives counts, and so does a copy of its session', async () => {
  const { session } = createGateway();
  const { scenario, sessions } = session('a');
  await expect(scenario.load({ description: text.repeat(17) })).rejects.toThrow('it takes 17.0 MB');
  await scenario.load({ description: text.repeat(15) });
  await sessions.create('b', { session: 'a' });
  for (const name of ['a', 'b'])
    await expect(write(session(name), 2)).rejects.toThrow('Failed to call records.prompts.create');
});

test('a scenario of the gateway does not count, however large: its state can be saved and copied', async () => {
  const { state, sessions } = createGateway({ scenario: { description: text.repeat(17) } });
  await state.save();
  await sessions.create('copy', { session: 'default' });
  expect((await state.list())[0]?.size).toBeLessThan(10_000);
});

test.each<[string, (control: Control) => Promise<unknown>]>([
  ['deleted records', ({ records }) => records.prompts.delete('p0')],
  ['a reset', ({ reset }) => reset()],
])('what is not there any more does not count: %s', async (_name, free) => {
  const { session } = createGateway();
  await write(session('a'), 15);
  const more = () => session('a').records.prompts.create(prompt('more'));
  await expect(more()).rejects.toThrow('Delete some of them, reset the session, or use another one.');
  await free(session('a'));
  await expect(more()).resolves.toBeDefined();
});

test('what replaces its predecessor counts once', async () => {
  const { records, faults, state } = createGateway();
  await write({ records } as Control, 3); // the only part that is used
  const failures: string[] = [];
  for (let at = 0; at < 20; at += 1) {
    await records.prompts.update('p0', prompt('p0'));
    await faults.add(...tenFaults);
    await faults.clear();
    await state.save();
    await state.restore().catch((error) => failures.push(messageOf(error)));
  }
  expect(failures).toEqual([]);
});

// What one client keeps open takes nothing from others, and loses nothing without a word.

import { expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const messageIn = async (reply: Response): Promise<string> => (await reply.json()).error.message;

test('requests that were dropped are reported over HTTP, and the world is not lost by that', async () => {
  const { adminUrl, baseUrl } = await openServer({ journal: 2 });
  const { requests } = connect(adminUrl);
  for (let sent = 0; sent < 3; sent += 1) await fetch(`${baseUrl}/batches`, { headers: keys });
  const reply = await fetch(`${adminUrl}/requests/count`);
  expect(reply.status).toBe(410);
  expect(await reply.json()).toMatchObject({ error: { code: 'requests_dropped' } });
  await expect(requests.count()).rejects.toMatchObject({
    name: 'Error',
    message: expect.stringMatching(
      /^Failed to count the requests: the journal has dropped the oldest 1 request/,
    ),
  });
  expect(await requests.list({}, { kept: true })).toHaveLength(2);
  await requests.clear();
  expect(await requests.count()).toBe(0);
});

test('a wait whose session is removed ends, and says why', async () => {
  const { url, sessions } = await openServer({ maxSessions: 2 });
  const wait = fetch(`${url}/sessions/w0/__admin/requests/wait?timeout=100000`);
  await expect.poll(() => sessions.list()).toContain('w0');
  await sessions.create('a');
  expect((await wait).status).toBe(400);
  expect(await messageIn(await wait)).toContain('was ended by the removal of its session (maxSessions).');
});

test('saved states are bounded by their number, and none is deleted without a word', async () => {
  const { state } = await openServer();
  for (let saved = 0; saved < 100; saved += 1) await state.save(`s${saved}`);
  await expect(state.save('more')).rejects.toThrow(
    'Failed to save the state "more": a session can have 100 saved states. Delete one with state.delete(name)',
  );
  await state.save('s0'); // again
  expect([await state.delete('s0'), await state.delete('s0')]).toEqual([true, false]);
  await state.save('more');
});

// A bug in any step gets 500 in JSON, and ends neither the process nor another call.
import { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../src/core/journal/journal.ts';
import { RecordList } from '../../src/core/world/record-list.ts';
import { Sessions } from '../../src/service/control/sessions.ts';
import { deviations } from '../support/deviations.ts';
import { openServer } from '../support/open-gateway.ts';
import { allTransports, describeTransports, keys } from '../support/transports.ts';

const path = '/v1/batches?limit=1';
/** As the error of a file that is missing: it names a path of this machine. */
const bug = Object.assign(new Error('ENOENT: no such file, open /home/ada/dist/chunk.js'), {
  code: 'ENOENT',
});
const message = 'Internal error of gateway-mock: ENOENT. Please report it.';

/** Lets a method throw at its next call. */
const breakOnce = (prototype: object, method: string): void => {
  const output = vi.spyOn(console, 'error').mockImplementation(() => {});
  // Any method of any class: the types of all cannot be one.
  const spy = vi.spyOn(prototype as Record<string, () => void>, method).mockImplementationOnce(() => {
    throw bug;
  });
  onTestFinished(() => {
    expect(output).toHaveBeenCalledWith(expect.stringContaining('internal error'), bug);
    spy.mockRestore();
    output.mockRestore();
  });
};

const expectBug = async (reply: Response): Promise<void> => {
  expect([reply.status, reply.headers.get('content-type')]).toEqual([500, 'application/json']);
  expect(await reply.json()).toMatchObject({ message, error: { message, type: 'server_error' } });
  deviations.splice(0); // this one is asked for
};

describeTransports(
  'a bug',
  {},
  ({ call, control }) => {
    test.each([
      ['opening the session', Sessions.prototype, 'open'],
      ['the handler', RecordList.prototype, 'entries'],
      ['the journal', Journal.prototype, 'add'],
    ])('in %s is answered by 500, and the next call by 200', async (_step, prototype, method) => {
      await control().clock.advance('1s'); // nothing is cached
      breakOnce(prototype, method);
      await expectBug(await call('/batches?limit=1'));
      expect((await call('/batches?limit=1')).status).toBe(200);
    });
  },
  allTransports,
);

describe('a bug in a listener of the server', () => {
  test.each([
    ['the gateway', path],
    ['the admin API', '/__admin/clock/now'],
    ['the page', '/__admin/'],
    ['an event stream', '/__admin/events'],
    ['the OpenAPI document', '/openapi.json'],
  ])('that sends the reply is answered by 500: %s', async (_name, target) => {
    const { url } = await openServer();
    const get = () => fetch(url + target, { headers: { ...keys, accept: 'text/html' } });
    breakOnce(ServerResponse.prototype, 'writeHead');
    await expectBug(await get());
    const again = await get();
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  test.each(['delay 1ms', 'hang-up'])('that sends the reply later is answered by 500: %s', async (kind) => {
    const { url } = await openServer({ faults: [`listBatches#1: ${kind}`] });
    breakOnce(ServerResponse.prototype, 'writeHead');
    await expectBug(await fetch(url + path, { headers: keys }));
    expect((await fetch(url + path, { headers: keys })).status).toBe(200);
  });

  test('that comes after the head of the reply ends the connection', async () => {
    const { url } = await openServer({ faults: ['listBatches#1: drip 200ms'] });
    const reply = await fetch(url + path, { headers: keys });
    breakOnce(ServerResponse.prototype, 'write');
    await expect(reply.text()).rejects.toThrow('terminated');
    expect((await fetch(url + path, { headers: keys })).status).toBe(200);
  });

  test('that makes the reply is answered by 500', async () => {
    const { adminUrl } = await openServer();
    breakOnce(Sessions.prototype, 'resume');
    await expectBug(await fetch(`${adminUrl}/clock/now`));
    expect((await fetch(`${adminUrl}/clock/now`)).status).toBe(200);
  });

  test("in the user's own onCall is reported, and the reply is sent", async () => {
    const output = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => output.mockRestore());
    const throwBug = () => {
      throw bug;
    };
    for (const onCall of [throwBug, () => Promise.reject(bug)]) {
      const { url } = await openServer({ onCall });
      for (const _ of ['first', 'second'])
        expect((await fetch(url + path, { headers: keys })).status).toBe(200);
      expect(output).toHaveBeenCalledWith(expect.stringContaining('internal error'), bug);
      output.mockClear();
    }
  });
});

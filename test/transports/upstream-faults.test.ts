// Faults on calls that are forwarded to another server: those of `*`, and of a path.
import { describe, expect, test } from 'vitest';
import { openBoth, ways } from '../support/other-server.ts';
import { keys } from '../support/transports.ts';

describe.each(ways)('%s', (_way, options) => {
  const open = async (fault: string, hasLength = true) => {
    const both = await openBoth((response) => {
      response.writeHead(200, hasLength ? { 'content-length': 10 } : {});
      response.write('12345');
      setTimeout(() => response.end('67890'), 30);
    }, options);
    await both.server.faults.add(fault);
    const send = async () => {
      const reply = await fetch(`${both.server.baseUrl}/models`, { headers: keys });
      let text = '';
      try {
        for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>)
          text += new TextDecoder().decode(piece);
      } catch {
        text += '(broken off)';
      }
      return { status: reply.status, text, upstream: reply.headers.get('x-mock-upstream') };
    };
    return { ...both, send };
  };

  test('an error or another reply is sent in place of forwarding, and * counts forwarded calls', async () => {
    const { server, other, arrived, send } = await open('*#2: 503');
    expect(await send()).toMatchObject({ status: 200, text: '1234567890' });
    expect(await send()).toMatchObject({ status: 503, upstream: null });
    expect(await send()).toMatchObject({ status: 200 });
    expect(arrived).toHaveLength(2);
    await server.faults.add('* path=/v1/models: reset');
    await expect(send()).rejects.toThrow();
    expect(arrived).toHaveLength(2);
    const forwarded = (await server.requests.list()).map(({ upstream }) => upstream);
    expect(forwarded).toEqual([`${other}/v1`, null, `${other}/v1`, null]);
    expect(await server.faults.list()).toMatchObject([
      { calls: 4, hits: 1 },
      { calls: 1, hits: 1 },
    ]);
  });

  test('a fault comes before the key: a call with a wrong key gets it, and counts', async () => {
    const { server, arrived } = await openBoth(undefined, { ...options, faults: ['* times=1: 503'] });
    const statusOf = async () => (await fetch(`${server.baseUrl}/models`)).status;
    expect([await statusOf(), await statusOf()]).toEqual([503, 401]);
    expect(await server.faults.list()).toMatchObject([{ calls: 2, hits: 1 }]);
    expect(arrived).toEqual([]);
  });

  test('a hang-up comes after half of the body, or after the first piece if its length is not known', async () => {
    expect(await (await open('* path=/v1/models: hang-up')).send()).toMatchObject({
      text: '12345(broken off)',
    });
    const { send, server } = await open('*: hang-up', false);
    expect(await send()).toMatchObject({ text: '12345(broken off)' });
    expect(await server.requests.list()).toMatchObject([{ outcome: 'cut', faults: ['*: hang-up'] }]);
  });

  test('a delay and a drip take their time', async () => {
    for (const fault of ['*: delay 150ms', '*: drip 150ms']) {
      const { send } = await open(fault);
      const before = performance.now();
      expect(await send()).toMatchObject({ text: '1234567890' });
      expect(performance.now() - before).toBeGreaterThan(140);
    }
  });

  test.each(['repeat-record', 'empty-page', 'truncated-json'])(
    '%s cannot act, and says why',
    async (kind) => {
      const { send, server } = await open(`*: ${kind}`);
      expect(await send()).toMatchObject({ status: 200, text: '1234567890' });
      expect(await server.requests.list()).toMatchObject([
        { faults: [], idleFaults: [{ fault: `*: ${kind}`, reason: 'the reply comes from another server' }] },
      ]);
    },
  );
});

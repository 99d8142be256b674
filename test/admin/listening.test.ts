// On which addresses a server listens: the container does so on all of them.

import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { listen } from '../../src/service/server/web-server.ts';
import { reportMissing } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { exchange } from '../support/raw-http.ts';

/** Whether this machine has IPv6: many a container has none. */
const hasIpv6 = async (): Promise<boolean> => {
  const server = createServer();
  try {
    await listen(server, 0, '::1');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
};
const anyAddresses = (await hasIpv6()) ? ['0.0.0.0', '::'] : ['0.0.0.0'];
if (anyAddresses.length === 1)
  reportMissing('IPv6', 'the tests of listening on ::', 'Give the container an address ::1.');

test.each(anyAddresses)(
  'a server that listens on %s is controlled by its URL and the name of the machine',
  async (host) => {
    const server = await openServer({ host });
    const { port } = new URL(server.url);
    expect(server.url).toBe(`http://${host === '::' ? '[::1]' : '127.0.0.1'}:${port}`);
    expect((await fetch(`${server.adminUrl}/clock/now`)).status).toBe(200);
    for (const [name, status] of [
      [hostname(), 200],
      ['evil.example', 403],
    ]) {
      const call = `GET /__admin/clock/now HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`;
      expect((await exchange(server.url, call))[0]?.status).toBe(status);
    }
  },
);

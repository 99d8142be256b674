import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createHosts, toHost } from './hosts.ts';

const addressOf = (address: string): NetworkInterfaceInfo => ({
  address,
  ...(address.includes(':') ? { family: 'IPv6', scopeid: 0 } : { family: 'IPv4' }),
  netmask: '',
  mac: '',
  internal: false,
  cidr: null,
});

/** A machine with two networks, one of which has lost its addresses. */
const machine = {
  hostname: () => 'Build-7',
  networkInterfaces: () => ({ eth0: [addressOf('10.1.2.3'), addressOf('fe80::7')], eth1: undefined }),
};

describe('the hosts of a server', () => {
  test.each(['0.0.0.0', '::'])('that listens on %s are all names and addresses of the machine', (address) => {
    const { isOwnHost, learn } = createHosts([], machine);
    expect(['build-7', '10.1.2.3', '[fe80::7]'].filter(isOwnHost)).toEqual([]);
    learn(address);
    expect(['build-7', 'BUILD-7', '10.1.2.3', '[fe80::7]', 'localhost'].filter(isOwnHost)).toHaveLength(5);
    expect(['0.0.0.0', '[::]', '10.1.2.4', 'build', 'evil.example'].filter(isOwnHost)).toEqual([]);
  });

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['fe80::7', '[fe80::7]'],
  ])('that listens on %s are that address alone, and the loopback ones', (address, host) => {
    const { isOwnHost, learn } = createHosts([], machine);
    learn(address);
    expect(['build-7', '10.1.2.3', '[fe80::7]', '127.0.0.1'].filter(isOwnHost)).toEqual([host, '127.0.0.1']);
  });

  test('are those given, too, in any letter case', () => {
    const { isOwnHost } = createHosts(['Mock.Example'], machine);
    expect(['mock.example', 'MOCK.example', 'example'].filter(isOwnHost)).toEqual([
      'mock.example',
      'MOCK.example',
    ]);
  });
});

test.each([
  ['0.0.0.0', 'IPv4', '127.0.0.1'],
  ['::', 'IPv6', '[::1]'],
  ['10.1.2.3', 'IPv4', '10.1.2.3'],
  ['fe80::7', 'IPv6', '[fe80::7]'],
])('a server that listens on %s (%s) has %s in its URL', (address, family, host) => {
  expect(toHost(address, family)).toBe(host);
});

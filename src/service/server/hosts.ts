import os from 'node:os';
import { isLoopback } from '../../core/util/loopback.ts';

/** The parts of `node:os` that describe this machine. */
type Machine = Pick<typeof os, 'hostname' | 'networkInterfaces'>;

/** The host names that the admin API accepts: loopback names, the listening address (or all addresses, for a wildcard), and `adminHosts`. */
export const createHosts = (names: readonly string[], machine: Machine = os) => {
  const own = new Set(names.map((host) => host.toLowerCase()));
  return {
    isOwnHost: (hostname: string): boolean => isLoopback(hostname) || own.has(hostname.toLowerCase()),
    learn: (address: string): void => {
      const isAny = address === '0.0.0.0' || address === '::';
      const reached = isAny ? [machine.hostname(), ...addressesOf(machine)] : [address];
      for (const name of reached) own.add(name.includes(':') ? `[${name}]` : name.toLowerCase());
    },
  };
};

const addressesOf = (machine: Machine): string[] =>
  Object.values(machine.networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));

/** The host in the server's URL. For a wildcard address, it is the loopback address. */
export const toHost = (address: string, family: string): string => {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return family === 'IPv6' ? `[${address}]` : address;
};

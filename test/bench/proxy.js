import { readFileSync } from 'node:fs';

/** The configuration that users are given. */
export const proxyConfig = readFileSync(new URL('../../docs/replicas.cfg', import.meta.url), 'utf8');

/**
 * A configuration with other ports: the first for the proxy, the others for its replicas.
 *
 * @param {string} config
 * @param {readonly string[]} ports
 */
export const withPorts = (config, ports) =>
  ports.reduce((text, port, at) => text.replace(`127.0.0.1:${4010 + at}`, `127.0.0.1:${port}`), config);

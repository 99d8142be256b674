import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../bench/free-port.js';
import { proxyConfig, withPorts } from '../bench/proxy.js';

/** A port at which there is no replica, and never will be. */
export const noReplica = '1';

/**
 * Starts HAProxy by the printed configuration, in front of replicas with these ports, and waits until it answers. Where another
 * process took its port meanwhile, HAProxy ends, and another port is tried. Each reply names its replica in `x-served-by`.
 */
export const startProxy = async (replicaPorts: readonly string[]): Promise<string> => {
  for (let tries = 1; tries <= 5; tries += 1) {
    const url = await tryProxy([await freePort(), ...replicaPorts]);
    if (url !== undefined) return url;
  }
  throw new Error('HAProxy did not start on any of five ports.');
};

const tryProxy = async (ports: readonly string[]): Promise<string | undefined> => {
  const named = proxyConfig.replace(
    'balance hash',
    'http-response set-header x-served-by %s\n  balance hash',
  );
  const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-proxy-'));
  const file = join(folder, 'replicas.cfg');
  writeFileSync(file, withPorts(named, ports));
  const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    proxy.once('close', () => {
      hasEnded = true;
      resolve();
    });
  });
  onTestFinished(async () => {
    proxy.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${ports[0]}`;
  const hasReplicas = ports.slice(1).some((port) => port !== noReplica);
  while (!hasEnded) {
    const isUp = await fetch(`${url}/__admin/health`).then(
      ({ status }) => status < 500 || !hasReplicas,
      () => false,
    );
    if (isUp) return url;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../bench/free-port.js';
import { makeFolder } from './make-folder.ts';
import { read } from './printed-blocks.ts';

/** The configuration that users are given. */
export const proxyConfig = read('docs/replicas.cfg');

/** An address at which there is no replica. */
export const noReplica = '127.0.0.1:1';

/**
 * Starts HAProxy in front of three replicas at these addresses. Each reply names its replica in `x-served-by`.
 *
 * @throws Error with what HAProxy says, if it does not start
 */
export const startProxy = async (replicas: readonly string[], config = proxyConfig): Promise<string> => {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const text = config
      .replace(/ bind .*/, ` bind 127.0.0.1:${port}\n  http-response set-header x-served-by %s`)
      .replace(/(replica-(\d)) \S+/g, (_, name, number) => `${name} ${replicas[number - 1]}`);
    const url = `http://127.0.0.1:${port}`;
    const failure = await tryProxy(text, url);
    if (failure === undefined) return url;
    const isTaken = failure.includes('Address already in use'); // since it was free
    if (!isTaken || tries === 5) throw new Error(`HAProxy did not start: ${failure}`);
  }
};

/** Returns what it says if it does not start. */
const tryProxy = async (config: string, url: string): Promise<string | undefined> => {
  const file = join(makeFolder({ 'haproxy.cfg': config }), 'haproxy.cfg');
  // Few connections, since a machine may allow few open files.
  const proxy = spawn('haproxy', ['-db', '-n', '300', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let message = '';
  proxy.stderr.setEncoding('utf8').on('data', (text: string) => {
    message += text;
  });
  let hasEnded = false;
  const ended = once(proxy, 'close').then(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    proxy.kill('SIGKILL');
    await ended;
  });
  while (!hasEnded) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return message;
};

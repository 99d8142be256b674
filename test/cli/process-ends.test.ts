// A process that uses a gateway ends when its own work is done.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { keys } from '../support/transports.ts';
import { buildFolder, root } from '../support/write-built.ts';

const url = 'http://gateway.test/v1/batches?limit=3';

// A delay and a slow reply wait in different places.
test('calls that are aborted during a delay or a drip keep no process alive', async () => {
  const entryPoint = pathToFileURL(join(buildFolder, 'node.js')).href;
  const script = `
    import { setupGateway } from ${JSON.stringify(entryPoint)};
    const gateway = setupGateway({ faults: ['listBatches#1: delay 300s', 'listBatches#2: drip 300s'] });
    gateway.listen();
    setInterval(gc, 5).unref(); // a request that nobody holds is collected, and its signal with it
    for (let call = 0; call < 2; call += 1) {
      const reply = fetch('${url}', { headers: ${JSON.stringify(keys)}, signal: AbortSignal.timeout(50) });
      console.log(await reply.then((response) => response.text()).then(() => 'whole', ({ name }) => name));
    }`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 200_000, // less than the faults last
  });
  const [printed] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  expect([printed, child.exitCode]).toEqual(['TimeoutError\nTimeoutError\n', 0]);
});

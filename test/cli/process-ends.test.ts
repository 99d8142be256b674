// A process that uses a gateway ends when its own work is done.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { keys } from '../support/transports.ts';
import { buildFolder, root } from '../support/write-built.ts';

const url = 'http://gateway.test/v1/batches?limit=3';

test.each(['delay 60s', 'drip 60s'])(
  'a call that is aborted during a %s keeps no process alive',
  async (kind) => {
    const entryPoint = pathToFileURL(join(buildFolder, 'node.js')).href;
    const script = `
    import { setupGateway } from ${JSON.stringify(entryPoint)};
    const gateway = setupGateway({ faults: ['listBatches: ${kind}'] });
    gateway.listen();
    setInterval(gc, 5).unref(); // a request that nobody holds is collected, and its signal with it
    const reply = fetch('${url}', { headers: ${JSON.stringify(keys)}, signal: AbortSignal.timeout(50) });
    const ended = await reply.then((response) => response.text()).then(() => 'whole', ({ name }) => name);
    console.log(ended);`;
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 40_000, // less than the fault lasts
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await once(child, 'close');
    expect([printed, child.exitCode]).toEqual(['TimeoutError\n', 0]);
  },
);

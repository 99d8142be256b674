// The deployment of docs/kubernetes as it is rendered, without a cluster: the proxy, and each pod a process at its own address.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { disconnect } from '../bench/soak-scripts.js';
import { hasCommand } from '../support/missing-tool.ts';
import { openPods, type Pod } from '../support/pods.ts';
import { adminToken, hasKubectl, renderManifests } from '../support/render-manifests.ts';
import { playAlone, startLoad } from '../support/session-load.ts';
import { serveCli } from '../support/spawn-cli.ts';

const leftOut = 'the test of the deployment to Kubernetes under load';
const canRun =
  process.platform === 'linux' && // where a process can listen at 127.0.0.2
  hasKubectl(leftOut) &&
  hasCommand('haproxy', leftOut);

/** How long the proxy may take to find out that a replica is ready, in milliseconds: it asks every two seconds. */
const settling = 2500;

test.skipIf(!canRun)(
  'a hundred sessions notice no new replica, no drain and no rolling restart, and those of a killed replica get 410',
  { timeout: 300_000 }, // it stops and starts replicas one after the other, while a hundred sessions call
  async () => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const alone = await serveCli('--quiet', '--require-session', '--admin-token', adminToken);
    const scripts = await playAlone(new URL(alone.baseUrl).origin, headers);
    await alone.stop();

    const { url, start } = await openPods(renderManifests('base'));
    const pods: Pod[] = await Promise.all([0, 1, 2].map(start));
    await sleep(settling);
    const load = startLoad(url, scripts, 100, headers);
    /** Returns how many calls were answered meanwhile. */
    const during = async (phase: string, act: () => Promise<void>): Promise<void> => {
      load.phase = phase;
      const { calls } = load;
      await act();
      expect(load.wrong.slice(0, 3)).toEqual([]);
      expect(load.calls - calls, phase).toBeGreaterThan(0);
    };
    const stop = async (number: number): Promise<void> => {
      expect(await pods[number]?.stop('SIGTERM')).toEqual({ code: 0, errors: '' });
    };

    await during('no change', () => sleep(1000));
    await during('a fourth replica', async () => {
      pods[3] = await start(3);
      await sleep(settling);
    });
    expect(load.held).toBeGreaterThan(0); // sessions have moved to it
    await during('it is drained', () => stop(3));
    await during('a rolling restart', async () => {
      for (const number of [2, 1, 0]) {
        await stop(number);
        pods[number] = await start(number);
        await sleep(settling);
      }
    });
    expect([...load.lost]).toEqual([]);
    load.mayLose = true;
    await during('a kill', async () => {
      await pods[1]?.stop('SIGKILL');
      await expect.poll(() => load.lost.size).toBeGreaterThan(10);
      pods[1] = await start(1);
      await sleep(settling);
    });
    await load.end();
    disconnect();
    expect(load.wrong.slice(0, 3)).toEqual([]);
    expect(load.scripts).toBeGreaterThan(0);
    expect(load.lost.size).toBeLessThan(70); // about a third: the others had other replicas
  },
);

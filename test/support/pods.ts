// The rendered manifests without a cluster: each replica is a process, behind the proxy as it is rendered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IConfigMap, ISecret } from 'kubernetes-models/v1';
import { expect, onTestFinished } from 'vitest';
import { makeFolder } from './make-folder.ts';
import { find, type Rendered } from './render-manifests.ts';
import { startProxy } from './start-proxy.ts';
import { buildFolder } from './write-built.ts';

const namespace = 'testing';

/** The files of a ConfigMap or a Secret. */
const readFiles = (rendered: Rendered, map?: string, secret?: string): Record<string, string> => {
  if (map !== undefined) return find<IConfigMap>(rendered, 'ConfigMap', map).data ?? {};
  const { data = {} } = secret === undefined ? {} : find<ISecret>(rendered, 'Secret', secret);
  return Object.fromEntries(Object.entries(data).map(([file, text]) => [file, atob(text)]));
};

/** The variables of a replica, with folders of this machine in place of its mounts. */
const readVariables = (rendered: Rendered): Record<string, string> => {
  const pod = find<IStatefulSet>(rendered, 'StatefulSet', 'gateway-mock').spec?.template.spec;
  const [container] = pod?.containers ?? [];
  const folders = container?.volumeMounts?.map(({ name, mountPath }): [string, string] => {
    const volume = pod?.volumes?.find((one) => one.name === name);
    return [mountPath, makeFolder(readFiles(rendered, volume?.configMap?.name, volume?.secret?.secretName))];
  });
  return Object.fromEntries(
    container?.env?.map(({ name, value = namespace }) => {
      let text = value.replaceAll('$(NAMESPACE)', namespace);
      for (const [mount, folder] of folders ?? [])
        if (text.startsWith(mount)) text = text.replace(mount, folder);
      return [name, text];
    }) ?? [],
  );
};

/** Starts a replica, and returns how to stop it. The first start chooses its port, which it keeps. */
const startReplica = async (variables: Record<string, string>): Promise<() => Promise<void>> => {
  const env = { PATH: process.env.PATH, ...variables };
  const child = spawn(process.execPath, [join(buildFolder, 'cli.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const line = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`A replica does not start: ${errors}`);
  variables.GATEWAY_MOCK_PORT = new URL(JSON.parse(String(line)).url).port;
  child.stdout.resume();
  return async () => {
    child.kill('SIGTERM');
    await ended;
    expect([child.exitCode, errors]).toEqual([0, '']);
  };
};

/** The replicas and their proxy. */
interface Pods {
  /** Where clients call. */
  readonly url: string;
  /** Restarts one replica after the other, as Kubernetes does: each is ready before the next one stops. */
  readonly restart: (count: number) => Promise<void>;
}

/** Starts the rendered replicas, and the proxy in front of them. */
export const openPods = async (rendered: Rendered): Promise<Pods> => {
  const { replicas = 0 } = find<IStatefulSet>(rendered, 'StatefulSet', 'gateway-mock').spec ?? {};
  const pods = await Promise.all(
    Array.from({ length: replicas }, async (_, number) => {
      // Addresses that other programs do not use, so that a port is still free when a replica starts again.
      const place = { GATEWAY_MOCK_HOST: `127.0.0.${number + 2}`, GATEWAY_MOCK_PORT: '0' };
      const variables = { ...readVariables(rendered), ...place };
      return { variables, stop: await startReplica(variables) };
    }),
  );
  const { data } = find<IConfigMap>(rendered, 'ConfigMap', 'gateway-mock-proxy');
  const addresses = pods.map(
    ({ variables }) => `${variables.GATEWAY_MOCK_HOST}:${variables.GATEWAY_MOCK_PORT}`,
  );
  return {
    url: await startProxy(addresses, data?.['haproxy.cfg']),
    restart: async (count) => {
      for (const pod of pods.slice(0, count)) {
        await pod.stop();
        pod.stop = await startReplica(pod.variables);
      }
    },
  };
};

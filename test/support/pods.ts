// The rendered manifests without a cluster: each pod is a process on an address of its own, behind the proxy as it is rendered.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IConfigMap, ISecret } from 'kubernetes-models/v1';
import { onTestFinished, vi } from 'vitest';
import { freePort } from '../bench/free-port.js';
import { makeFolder } from './make-folder.ts';
import { serveNames } from './pod-names.ts';
import { find, type Rendered } from './render-manifests.ts';
import { buildFolder } from './write-built.ts';

/** A folder for each volume of the replicas, with the files of its ConfigMap or Secret. */
const mountVolumes = (rendered: Rendered, { spec }: IStatefulSet): ReadonlyMap<string, string> => {
  const folder = makeFolder();
  const container = spec?.template.spec?.containers[0];
  return new Map(
    container?.volumeMounts?.map(({ name, mountPath }) => {
      const volume = spec?.template.spec?.volumes?.find((one) => one.name === name);
      const path = join(folder, name);
      // As the kubelet does it: what a change replaces as a whole is in a folder that begins with a dot.
      const write = (file: string, content: string | Buffer): void => {
        writeFileSync(join(path, '..data', file), content);
        symlinkSync(join('..data', file), join(path, file));
      };
      mkdirSync(join(path, '..data'), { recursive: true });
      if (volume?.configMap) {
        const { data = {} } = find<IConfigMap>(rendered, 'ConfigMap', volume.configMap.name ?? '');
        for (const [file, text] of Object.entries(data)) write(file, text);
      }
      if (volume?.secret) {
        const { data = {} } = find<ISecret>(rendered, 'Secret', volume.secret.secretName ?? '');
        for (const [file, text] of Object.entries(data)) write(file, Buffer.from(text, 'base64'));
      }
      return [mountPath, path];
    }),
  );
};

const namespace = 'testing';

/** The variables of the replicas, with folders of this machine in place of their mounts. */
const readVariables = (rendered: Rendered): Record<string, string> => {
  const set = find<IStatefulSet>(rendered, 'StatefulSet', 'gateway-mock');
  const mounts = mountVolumes(rendered, set);
  const variables = set.spec?.template.spec?.containers[0]?.env ?? [];
  return Object.fromEntries(
    variables.map(({ name, value = namespace }) => {
      let text = value.replaceAll('$(NAMESPACE)', namespace);
      for (const [mount, folder] of mounts) if (text.startsWith(mount)) text = text.replace(mount, folder);
      return [name, text];
    }),
  );
};

/** A replica. */
export interface Pod {
  /** Sends a signal, and waits for the end. Returns the exit code and what was printed as an error. */
  readonly stop: (
    signal: NodeJS.Signals,
  ) => Promise<{ readonly code: number | null; readonly errors: string }>;
}

export interface Pods {
  /** Where clients call. */
  readonly url: string;
  /** Starts the pod with this number, at a new address, and waits until it is ready. */
  readonly start: (number: number) => Promise<Pod>;
}

/** Starts the rendered proxy, and lets pods be started behind it. */
export const openPods = async (rendered: Rendered): Promise<Pods> => {
  const addresses = new Map<string, string>();
  const names = await serveNames(addresses);
  const port = await freePort();
  const variables = readVariables(rendered);
  const url = await startProxy(rendered, names, port);
  let started = 1;
  const start = async (number: number): Promise<Pod> => {
    started += 1;
    const address = `127.0.0.${started}`;
    addresses.set(`gateway-mock-${number}.${domain}`, address);
    const place = { GATEWAY_MOCK_HOST: address, GATEWAY_MOCK_PORT: port };
    const env = { PATH: process.env.PATH, ...variables, ...place };
    const child = spawn(process.execPath, [join(buildFolder, 'cli.js')], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const ended = endOf(child);
    await vi.waitUntil(
      () => {
        if (child.exitCode !== null) throw new Error(`The pod ${number} does not start: ${errors}`);
        return isOk(`http://${address}:${port}/readyz`);
      },
      { timeout: 60_000, interval: 50 },
    );
    return {
      stop: async (signal) => {
        child.kill(signal);
        await ended;
        return { code: child.exitCode, errors };
      },
    };
  };
  return { url, start };
};

const domain = `gateway-mock-replicas.${namespace}.svc.cluster.local`;

/** The proxy, as rendered but for where it listens and whom it asks for names. */
const startProxy = async (rendered: Rendered, names: string, podPort: string): Promise<string> => {
  const port = await freePort();
  const config = readProxyConfig(rendered)
    .replace('bind :4010', `bind 127.0.0.1:${port}`)
    .replace('parse-resolv-conf', `nameserver test ${names}`)
    .replaceAll(':4010"', `:${podPort}"`);
  const file = join(makeFolder({ 'haproxy.cfg': config }), 'haproxy.cfg');
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: { ...process.env, REPLICAS_DOMAIN: domain },
    stdio: 'ignore',
  });
  void endOf(child);
  const url = `http://127.0.0.1:${port}`;
  await vi.waitUntil(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { timeout: 60_000, interval: 50 },
  );
  return url;
};

/** The configuration in the ConfigMap of the proxy. */
export const readProxyConfig = (rendered: Rendered): string =>
  find<IConfigMap>(rendered, 'ConfigMap', 'gateway-mock-proxy').data?.['haproxy.cfg'] ?? '';

/** The end of a process, which comes with the test's at the latest. */
const endOf = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await ended;
};

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

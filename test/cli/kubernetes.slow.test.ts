// docs/kubernetes, without a cluster: the manifests, its commands in docs/operations.md, and a rolling restart.
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, IPodSpec, IService } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { toPodsProxy } from '../../.config/docs-tables.js';
import { connect } from '../../src/client.ts';
import { disconnect } from '../bench/soak-scripts.js';
import { checkManifests } from '../support/check-manifests.ts';
import { makeFolder } from '../support/make-folder.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { openPods } from '../support/pods.ts';
import { read } from '../support/printed-blocks.ts';
import {
  adminToken,
  find,
  hasKubectl,
  parseManifests,
  renderManifests,
} from '../support/render-manifests.ts';
import { playAlone, startLoad } from '../support/session-load.ts';
import { isFull, volume } from '../support/settings.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { proxyConfig } from '../support/start-proxy.ts';
import { root } from '../support/write-built.ts';

const run = promisify(execFile);
const leftOut = 'the tests of the manifests for Kubernetes';
const parts = ['base', 'overlays/development'] as const;

test('the proxy of the pods is that of docs/replicas.cfg, with the names of the services', () => {
  expect(read('docs/kubernetes/base/haproxy.cfg'), 'run `npm run docs`').toBe(toPodsProxy(proxyConfig));
});

describe.skipIf(!hasKubectl(leftOut))('the manifests', () => {
  test('are valid, without unknown fields', () => {
    expect(checkManifests(parts.flatMap(renderManifests))).toEqual([]);
  });

  test.each(parts)('of %s name nothing that is not there', (part) => {
    const rendered = renderManifests(part);
    const names = rendered.map(({ metadata }) => metadata.name);
    const workloads = rendered.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment') as (
      | IStatefulSet
      | IDeployment
    )[]; // their schema is checked above
    expect(workloads).toHaveLength(part === 'base' ? 2 : 1);
    const labels = workloads.flatMap(({ metadata, spec }) =>
      // Kubernetes adds the name of the pod.
      Array.from({ length: spec?.replicas ?? 0 }, (_, number) => ({
        ...spec?.template.metadata?.labels,
        'statefulset.kubernetes.io/pod-name': `${metadata?.name}-${number}`,
      })),
    );
    const selected = rendered.filter(({ kind }) => /^(?:Service|PodDisruptionBudget)$/.test(kind));
    for (const object of selected) {
      const { spec } = object as IService | IPodDisruptionBudget;
      const selector = spec?.selector ?? {};
      const wanted = 'matchLabels' in selector ? selector.matchLabels : selector;
      expect(labels).toContainEqual(expect.objectContaining(wanted));
    }
    for (const { spec } of workloads) {
      const claims = spec !== undefined && 'volumeClaimTemplates' in spec ? spec.volumeClaimTemplates : [];
      expectSafe(spec?.template.spec, names, claims?.map(({ metadata }) => metadata?.name ?? '') ?? []);
    }
  });

  /** It has no rights, asks for what it needs, and mounts what there is. */
  const expectSafe = (
    pod: IPodSpec | undefined,
    names: readonly string[],
    claims: readonly string[],
  ): void => {
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: expect.any(Number) });
    expect(pod?.automountServiceAccountToken).toBe(false);
    for (const { image, resources, securityContext, volumeMounts = [] } of pod?.containers ?? []) {
      expect(image).toMatch(/:\d+\.\d+\.\d+/);
      expect(Object.keys(resources?.requests ?? {}).sort()).toEqual(['cpu', 'memory']);
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const volumes = [...(pod?.volumes ?? []).map(({ name }) => name), ...claims];
      expect(volumes.sort()).toEqual(volumeMounts.map(({ name }) => name).sort());
    }
    for (const { configMap, secret } of pod?.volumes ?? [])
      for (const name of [configMap?.name, secret?.secretName])
        if (name !== undefined) expect(names).toContain(name);
  };

  test('have a service, a volume and health checks for each replica, and the proxy knows them all', () => {
    const rendered = renderManifests('base');
    const { spec } = find<IStatefulSet>(rendered, 'StatefulSet', 'gateway-mock');
    const [container] = spec?.template.spec?.containers ?? [];
    expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container?.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    const replicas = Array.from({ length: spec?.replicas ?? 0 }, (_, number) => `gateway-mock-${number}`);
    const { data } = find<IConfigMap>(rendered, 'ConfigMap', 'gateway-mock-proxy');
    const known = data?.['haproxy.cfg']?.match(/(?<=server replica-\d )\S+(?=:4010)/g);
    expect(known).toEqual([...replicas, ...replicas]); // for sessions, and for calls without one
    const services = rendered.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    expect(services).toEqual(expect.arrayContaining(replicas));
    expect(spec?.volumeClaimTemplates).toMatchObject([{ spec: { accessModes: ['ReadWriteOnce'] } }]);
  });
});

/** The commands of the page, each without its comment. */
const [, block = ''] = /## In Kubernetes\n\n```sh\n(.*?)```/s.exec(read('docs/operations.md')) ?? [];
const commands = block
  .trim()
  .split('\n')
  .map((line) => line.replace(/ +# .*$/, ''));

/** Those that need what the tests do not have. The page says so. */
const notRun = /^(?:docker (?:build|push)|kubectl (?:apply|rollout|port-forward)) /;

test('the page has ten commands, and the tests run five of them', () => {
  expect(commands).toHaveLength(10);
  expect(commands.filter((line) => !notRun.test(line)).map((line) => line.split(' ')[0])).toEqual([
    'cp',
    'openssl',
    'kubectl',
    'kubectl',
    'curl',
  ]);
});

const canServe =
  process.platform === 'linux' &&
  hasKubectl(leftOut) &&
  hasCommand('haproxy', leftOut) &&
  hasCommand('curl', leftOut);

test.skipIf(!canServe)('the commands of the page lead to replicas that answer', async () => {
  const folder = makeFolder();
  cpSync(join(root, 'docs'), join(folder, 'docs'), { recursive: true });
  let rendered = parseManifests('');
  for (const line of commands.filter((one) => !notRun.test(one) && !one.startsWith('curl '))) {
    // What is created is shown, not sent.
    const command = line.startsWith('kubectl create') ? `${line} --dry-run=client -o yaml` : line;
    const { stdout } = await run('sh', ['-c', command], { cwd: folder });
    if (line.startsWith('kubectl kustomize')) rendered = parseManifests(stdout);
    if (line.startsWith('kubectl create'))
      expect(parseManifests(stdout)).toMatchObject([{ kind: 'Namespace' }]);
  }
  const token = readFileSync(join(folder, 'deployment/base/admin-token'), 'utf8').trim();
  const { url } = await openPods(rendered);

  const [line = ''] = commands.filter((one) => one.startsWith('curl '));
  const call = () => run('sh', ['-c', line.replace('http://127.0.0.1:4010', url)]);
  await expect.poll(async () => JSON.parse((await call()).stdout).data?.length).toBe(2);
  const wrong = connect(url, { session: 'team', token: adminToken });
  await expect(wrong.clock.now()).rejects.toThrow('The admin token is wrong');
  const { sessions } = connect(url, { session: 'team', token });
  await sessions.create('team', { scenario: 'team' });
  // A host name by which pods call. Others are refused, so that no web page can use the admin API.
  const ask = (host: string) => {
    const headers = ['-H', `host: ${host}`, '-H', `authorization: Bearer ${token}`];
    const report = ['-s', '-o', '/dev/null', '-w', '%{http_code}'];
    return run('curl', [...report, ...headers, `${url}/sessions/team/__admin/clock/now`]);
  };
  expect((await ask('gateway-mock:4010')).stdout).toBe('200');
  expect((await ask('gateway-mock.testing.svc:4010')).stdout).toBe('200');
  expect((await ask('evil.example')).stdout).toBe('403');
});

test.skipIf(!canServe)(
  'sessions notice nothing of a rolling restart: every reply is that of a session that is alone',
  async () => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const alone = await serveCli('--quiet', '--require-session', '--admin-token', adminToken);
    const scripts = await playAlone(new URL(alone.baseUrl).origin, headers, volume(24, 6));
    await alone.stop();

    const { url, restart } = await openPods(renderManifests('base'));
    const sessions = volume(40, 6);
    const load = startLoad(url, scripts, sessions, headers);
    await expect.poll(() => load.calls).toBeGreaterThan(5 * sessions);
    await restart(volume(3, 1));
    const { calls } = load;
    await expect.poll(() => load.calls).toBeGreaterThan(calls + 5 * sessions);
    if (isFull) await expect.poll(() => load.scripts, { timeout: 60_000 }).toBeGreaterThan(sessions);
    await load.end();
    disconnect();
    expect(load.wrong.slice(0, 3)).toEqual([]);
    expect(load.unread).toBeLessThan(2 * sessions);
  },
);

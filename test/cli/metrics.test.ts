// The metrics of the command line as Prometheus reads them, and the dashboard and configuration in the docs.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { makeFolder } from '../support/make-folder.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

const hasPromtool = hasCommand(
  'promtool',
  'the tests of metrics',
  'Install it (apt-get install prometheus).',
);

const { panels }: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync('docs/dashboard.json', 'utf8'),
);
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** A server of the command line that has answered some calls. */
const serveSome = async (): Promise<string> => {
  const { baseUrl } = await serveCli('--quiet', '--fault', 'listBatches#2: 503 message="\\"é\\""');
  for (const path of ['/batches', '/batches', '/nothing'])
    await fetch(`${baseUrl}${path}`, { headers: keys });
  await connect(baseUrl).sessions.create('a');
  return baseUrl.replace('/v1', '/__admin');
};

/** What promtool prints, which is nothing but what it is asked for where all is well. */
const runPromtool = (args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

const writeFile = (text: string): string => join(makeFolder({ 'given.yml': text }), 'given.yml');

test('the first scrape has all values, even that of the event-loop lag', async () => {
  const metrics = await readMetrics(await serveSome());
  expect(metrics.size).toBeGreaterThan(50);
  expect([...metrics].filter(([, value]) => !Number.isFinite(value))).toEqual([]);
});

test('each expression of the dashboard names metrics that a server has', async () => {
  const names = new Set(
    [...(await readMetrics(await serveSome())).keys()].map((name) => name.replace(/\{.*/, '')),
  );
  expect(expressions.length).toBeGreaterThan(8);
  for (const expression of expressions) {
    const named = expression.match(/\b(?:gateway_mock|process|nodejs)_\w+/g) ?? [];
    expect(named).not.toEqual([]);
    expect([...names]).toEqual(expect.arrayContaining(named));
  }
});

describe.skipIf(!hasPromtool)('promtool', () => {
  test('finds nothing to warn of in the metrics', async () => {
    const text = await (await fetch(`${await serveSome()}/metrics`)).text();
    expect(runPromtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
  });

  test('reads the expressions of the dashboard', () => {
    const rules = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = writeFile(JSON.stringify({ groups: [{ name: 'dashboard', rules }] })); // JSON is YAML
    expect(runPromtool(['check', 'rules', file])).toMatchObject({ status: 0 });
  });

  test('reads the configuration of the docs', () => {
    const [, config = ''] = /```yaml\n(.*?)```/s.exec(readFileSync('docs/metrics.md', 'utf8')) ?? [];
    expect(config).toContain('scrape_configs');
    expect(runPromtool(['check', 'config', '--syntax-only', writeFile(config)])).toMatchObject({ status: 0 });
  });
});

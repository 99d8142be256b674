// The metrics of a server as Prometheus reads them, and the dashboard and configuration in the docs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { blocksOf, read } from '../support/printed-blocks.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { keys } from '../support/transports.ts';

const { panels }: { panels: { targets: { expr: string }[] }[] } = JSON.parse(read('docs/dashboard.json'));
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** A server that has answered some calls. */
const serveSome = async (): Promise<string> => {
  const server = await openServer({ faults: ['listBatches#2: 503 message="\\"é\\""'] });
  for (const path of ['/batches', '/batches', '/nothing'])
    await fetch(`${server.baseUrl}${path}`, { headers: keys });
  await server.sessions.create('a');
  return server.adminUrl;
};

test('the first scrape has all values, and those that the dashboard names, and so have others right after it', async () => {
  const adminUrl = await serveSome();
  const metrics = await readMetrics(adminUrl);
  expect(metrics.size).toBeGreaterThan(50);
  for (const scraped of [metrics, await readMetrics(adminUrl), await readMetrics(adminUrl)])
    expect([...scraped].filter(([, value]) => !Number.isFinite(value))).toEqual([]);
  const names = [...metrics.keys()].map((name) => name.replace(/\{.*/, ''));
  expect(expressions.length).toBeGreaterThan(8);
  for (const expression of expressions) {
    const named = expression.match(/\b(?:gateway_mock|process|nodejs)_\w+/g) ?? [];
    expect(named).not.toEqual([]);
    expect(names).toEqual(expect.arrayContaining(named));
  }
});

const hint = 'Install it (apt-get install prometheus).';
describe.skipIf(!hasCommand('promtool', 'the tests of metrics', hint))('promtool', () => {
  /** What promtool prints, which is nothing but what it is asked for where all is well. */
  const runPromtool = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };
  const writeFile = (text: string): string => join(makeFolder({ 'given.yml': text }), 'given.yml');

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
    const [config] = blocksOf('yaml').filter(({ page }) => page === 'docs/operations.md');
    expect(config?.text).toContain('scrape_configs');
    const args = ['check', 'config', '--syntax-only', writeFile(config?.text ?? '')];
    expect(runPromtool(args)).toMatchObject({ status: 0 });
  });
});

// Each file of test/examples/ is run as a user would run it.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { findChromium } from '../support/find-chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import { hasCommand, hasModule, hasShell } from '../support/missing-tool.ts';
import { isFull } from '../support/settings.ts';
import { buildFolder, makeBuiltFolder, root, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);
const folder = makeBuiltFolder('gateway-mock-examples');
const read = (name: string, from = 'test/examples'): string => readFileSync(join(root, from, name), 'utf8');
/** The fixture for pytest, and the helper for Go. */
const shipped = 'fixtures/init';
const write = (name: string): string => writeBuilt(folder, name, read(name));
const cli = join(buildFolder, 'cli.js');
const exec = (options: readonly string[], ...command: string[]) =>
  run(process.execPath, [cli, 'exec', ...options, '--', ...command], {
    cwd: folder,
    env: { ...process.env, CHROMIUM: findChromium() },
  });

const hasPython = hasCommand('python3', 'the tests of the example in Python');
const hasPytest =
  hasPython && hasModule('pytest', 'the tests of the example with pytest', 'apt-get install python3-pytest');
// Go has 200 MB: only .ci/nightly installs it.
const isGoRequired = isFull && process.env.CI === 'true';
const hasGo = hasCommand(
  'go',
  'the tests of the example in Go',
  'Install it (apt-get install golang-go).',
  isGoRequired,
);
const hasCurl =
  hasShell('the tests of the example by curl') && hasCommand('curl', 'the tests of the example by curl');

test('are all run here', () => {
  expect(readdirSync(join(root, 'test/examples')).sort()).toEqual([
    'frontend.html',
    'in-process.test.mjs',
    'nightly.py',
    'openai-client.mjs',
    'qa-walk.sh',
    'session-per-test.test.mjs',
    'test_batches.py',
  ]);
});

test('a vitest suite in process', async () => {
  const config = writeBuilt(
    folder,
    'vitest.config.mjs',
    'export default { test: { testTimeout: 200_000 } };',
  );
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--config', config, write('in-process.test.mjs')];
  expect((await run(process.execPath, args, { cwd: folder })).stdout).toContain('3 passed');
});

test('the openai client from a script', async () => {
  const { stdout } = await exec([], process.execPath, write('openai-client.mjs'));
  expect(stdout).toContain('completed:');
  expect(stdout).toMatch(/^\d+00 \d/m);
});

test.skipIf(!hasCurl)('a walk by curl', async () => {
  const state = join(mkdtempSync(join(tmpdir(), 'gateway-mock-walk-')), 'bug-17.json');
  onTestFinished(() => rmSync(join(state, '..'), { recursive: true }));
  const { stdout } = await exec(['--scenario', 'in-flight', '--seed', '7'], 'sh', write('qa-walk.sh'), state);
  const [, queued, ended, refused, told] = stdout.split(/^\d\. .*$/m);
  expect(queued).toContain('"status":"queued"');
  expect(ended).not.toContain('"status":"queued"');
  expect(refused).toContain('"status":"failure"');
  expect(told?.trim()).toBe('1');
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ seed: 7, faults: [expect.anything()] });
});

test.skipIf(!hasPython)('a script in Python', async () => {
  const { stdout } = await exec([], 'python3', write('nightly.py'));
  expect(stdout).toMatch(/^[1-9]\d* batches failed$/m);
});

describe.skipIf(!hasPytest)('a fixture for pytest', () => {
  const page = readFileSync(join(root, 'docs/pytest.md'), 'utf8');
  const pytest = (files: Readonly<Record<string, string>>) => {
    writeBuilt(folder, 'conftest.py', read('conftest.py', shipped));
    const command = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
    return exec(
      [],
      ...command,
      ...Object.entries(files).map(([file, text]) => writeBuilt(folder, file, text)),
    );
  };

  test('runs the example and the first tests of docs', async () => {
    const [, first = ''] = /```python\n(.*?)```/s.exec(page) ?? [];
    const files = { 'test_batches.py': read('test_batches.py'), 'test_printed.py': first };
    expect((await pytest(files)).stdout).toContain('5 passed');
  });

  test('fails a test whose call matches no operation, one whose fault did nothing, and one with a wrong fault, by its line', async () => {
    const text = `
import os
import urllib.error
import urllib.request

ROOT = os.environ.get("GATEWAY_BASE_URL")

def test_stray(gateway):
    try:
        urllib.request.urlopen(gateway.base_url + "/batchez")
    except urllib.error.HTTPError:
        pass

def test_idle(gateway):
    gateway.add_faults("listRuns: 503")

def test_wrong(gateway):
    gateway.add_faults("listRunz: 503")

def test_silent(gateway):
    assert gateway.base_url

def test_default(gateway):
    gateway.requests()
    urllib.request.urlopen(urllib.request.Request(ROOT + "/batches", headers=gateway.headers))
`;
    const stdout = await pytest({ 'test_failing.py': text }).then(
      () => 'no test failed',
      (error: { readonly stdout: string }) => error.stdout,
    );
    expect(stdout).toContain('/v1/batchez matched no');
    expect(stdout).toContain('the fault listRuns: 503 did nothing: no call matched');
    expect(stdout).toContain(
      'E       AssertionError: Failed to read the fault "listRunz: 503": unknown operation',
    );
    expect(stdout).toMatch(/\ntest_failing\.py:18: AssertionError/);
    expect(stdout).toContain('end it with: assert gateway.requests() == []');
    expect(stdout).toContain('GET /v1/batches went to the default session, not to gateway.base_url');
    expect(stdout).toContain('4 errors');
  });

  test('leaves alone what calls by the environment, asks, fails, is skipped, or is prepared by a fixture', async () => {
    const text = `
import os
import pytest
import threading
import urllib.request

@pytest.fixture
def seeded(gateway):
    gateway.create("batches")
    return gateway.base_url

def test_environment(gateway):
    urllib.request.urlopen(urllib.request.Request(os.environ["GATEWAY_BASE_URL"] + "/batches", headers=gateway.headers))
    assert len(gateway.requests()) == 1

def test_seeded(seeded):
    assert seeded

def test_quiet(gateway):
    assert gateway.headers and gateway.requests() == []

def test_allowed(gateway):
    gateway.no_calls = "allow"
    gateway.create("batches")

def test_preflight(gateway):
    headers = {"origin": "http://localhost", "access-control-request-method": "GET"}
    request = urllib.request.Request(gateway.base_url + "/batches", headers=headers, method="OPTIONS")
    assert urllib.request.urlopen(request).status == 204

def test_hasty(gateway):
    request = urllib.request.Request(gateway.base_url + "/batches", headers=gateway.headers)
    threading.Timer(0.2, lambda: urllib.request.urlopen(request)).start()

def test_expected_by_the_server(gateway):
    gateway.base_url
    with pytest.raises(AssertionError, match="Expected"):
        gateway.admin("/requests/expect", {"operation": "listBatches"})

def test_skipped(gateway):
    pytest.skip(gateway.base_url)

@pytest.mark.xfail
def test_expected(gateway):
    assert gateway.base_url == ""

def test_failed(gateway):
    assert gateway.base_url == ""

def test_quotas(gateway):
    for policy in gateway.admin("/records/policies/list"):
        gateway.admin("/records/policies/delete", {"id": policy["id"]})
    gateway.create("policies", value=1, conditions=[{"key": "metadata.team", "value": "none"}])
    gateway.admin("/quotas/enforce")
    urllib.request.urlopen(urllib.request.Request(gateway.base_url + "/batches", headers=gateway.headers))
`;
    const { stdout } = await pytest({ 'test_quiet.py': text }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toContain(
      'UserWarning: Quotas were enforced in this test, but these policies applied to no call',
    );
    expect(stdout).toContain('1 failed, 8 passed, 1 skipped, 1 xfailed, 1 warning');
    expect(stdout).not.toContain('error');
  });
});

test.skipIf(!hasGo)('a helper for Go', async () => {
  const module = makeFolder({
    'go.mod': 'module example.test/gateway\n\ngo 1.19\n',
    'gateway_test.go': read('gateway_test.go', shipped),
    'stray_test.go': `package gateway

import (
	"net/http"
	"testing"
	"time"
)

func TestStray(t *testing.T) {
	NewGateway(t).Get("/batchez", nil)
}

func TestIdle(t *testing.T) {
	NewGateway(t).Admin("/faults/add", map[string][]string{"faults": {"listRuns: 503"}}, nil)
}

func TestWrong(t *testing.T) {
	NewGateway(t).Admin("/faults/add", map[string][]string{"faults": {"listRunz: 503"}}, nil)
}

func TestSilent(t *testing.T) {
	NewGateway(t).BaseURL()
}

func TestReader(t *testing.T) {
	NewGateway(t).Admin("/records/batches/list", nil, nil)
}

func TestSkipper(t *testing.T) {
	NewGateway(t).BaseURL()
	t.Skip()
}

func TestQuiet(t *testing.T) {
	gateway := NewGateway(t)
	gateway.BaseURL()
	gateway.Admin("/requests/count", nil, nil)
}

func TestAllowed(t *testing.T) {
	gateway := NewGateway(t)
	gateway.AllowNoCalls = true
	gateway.BaseURL()
}

func TestPreflight(t *testing.T) {
	request, _ := http.NewRequest("OPTIONS", NewGateway(t).BaseURL()+"/batches", nil)
	request.Header = http.Header{"Origin": {"http://localhost"}, "Access-Control-Request-Method": {"GET"}}
	http.DefaultClient.Do(request)
}

func TestHasty(t *testing.T) {
	gateway := NewGateway(t)
	gateway.BaseURL()
	go func() {
		time.Sleep(200 * time.Millisecond)
		gateway.Get("/batches", nil)
	}()
}
`,
  });
  const go = (...args: string[]) =>
    run(process.execPath, [cli, 'exec', '--', 'go', 'test', ...args, './...'], { cwd: module });
  const [, printed = ''] = /```go\n(.*?)```/s.exec(read('other-languages.md', 'docs')) ?? [];
  expect(read('gateway_test.go', shipped)).toContain(printed);
  expect((await go('-v', '-run', 'Batch|Busy')).stdout.match(/^--- PASS/gm)).toHaveLength(2);
  const passing = 'Reader|Skipper|Quiet|Allowed|Preflight|Hasty';
  expect((await go('-v', '-run', passing)).stdout.match(/^--- (?:PASS|SKIP)/gm)).toHaveLength(6);
  const { stdout } = await go('-run', 'Stray|Idle|Wrong|Silent').catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(stdout).toContain('GET /v1/batchez matched no operation: No operation has the path');
  expect(stdout).toContain('the fault listRuns: 503 did nothing: no call matched');
  expect(stdout).toContain('If this test shows that nothing is sent');
  expect(stdout).toMatch(/stray_test\.go:\d+: 400 Bad Request: Failed to read the fault "listRunz: 503"/);
});

describe.skipIf(!hasChromium)('in a real browser', () => {
  test('a session for each test', async () => {
    writeBuilt(folder, 'frontend.html', read('frontend.html'));
    const { stdout } = await exec([], process.execPath, '--test', write('session-per-test.test.mjs'));
    expect(stdout).toMatch(/pass 2\b/);
  });
});

// What the command line makes of files and folders of scenarios.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioNames } from '../../src/index.ts';
import { makeFolder } from '../support/make-folder.ts';
import { runCli } from '../support/run-cli.ts';
import { serveCli, spawnCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

describe('gateway-mock validate', () => {
  const validate = (...files: string[]) => runCli('validate', ...files);

  test('knows the faults of own calls, by --calls', async () => {
    const call = `{ id: 'approve', method: 'POST', path: '/approve', handle: () => ({}) }`;
    const folder = makeFolder({
      'a.yaml': "faults: ['approve: 503']\n",
      'calls.mjs': `export const a = ${call};\n`,
    });
    const file = join(folder, 'a.yaml');
    expect((await spawnCli('validate', file).ended).stdout).toContain('unknown operation "approve"');
    expect(await spawnCli('validate', file, '--calls', join(folder, 'calls.mjs')).ended).toMatchObject({
      code: 0,
      stdout: '1 checked, 0 errors\n',
    });
    const broken = join(makeFolder({ 'broken.mjs': 'export const a = ;' }), 'broken.mjs');
    expect((await spawnCli('validate', file, '--calls', broken).ended).stderr).toBe(
      `gateway-mock: Failed to load the calls from ${broken}: Unexpected token ';'. The command node --check ${broken} shows the line.\n`,
    );
    const taken = join(
      makeFolder({
        'taken.mjs': `export const a = ${call.replace('/approve', '/batches').replace('POST', 'GET')};\n`,
      }),
      'taken.mjs',
    );
    for (const command of [['validate', file], ['openapi']])
      expect(await spawnCli(...command, '--calls', taken).ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('GET /batches is that of the operation "listBatches"'),
      });
    const missing = await spawnCli('validate', file, '--calls', 'nowhere.mjs').ended;
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('Failed to load the calls from nowhere.mjs'),
    ]);
  });

  test('finds nothing wrong with what ships', async () => {
    const count = scenarioNames().length;
    expect(await spawnCli('validate', 'scenarios').ended).toMatchObject({
      code: 0,
      stdout: `${count} checked, 0 errors\n`,
      stderr: '',
    });
  });

  test('fails without anything to check', async () => {
    const usage = 'Usage: gateway-mock validate FILES… (files or folders of scenarios)\n';
    const empty = makeFolder({ 'README.md': 'No scenario.' });
    const good = makeFolder({ 'fine.yaml': 'seed: 1\n' });
    for (const [args, error] of [
      [[], 'the files are missing.'],
      [[empty], `no scenario files found in ${empty}.`],
      [[good, empty], `no scenario files found in ${empty}.`],
    ] as const)
      expect(await validate(...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `gateway-mock: ${error} ${usage}`,
      });
  });

  test('prints one line for each error, then a summary, for files and folders', async () => {
    const folder = makeFolder({
      'fine.yaml': 'seed: 1\n',
      'bug.yaml': 'sed: 7\nbatches: -1\n',
      'more/worse.json': '{ "extends": "bug2" }',
    });
    const [bug, worse] = [join(folder, 'bug.yaml'), join(folder, 'more/worse.json')];
    const lines = [
      `${bug}:1:1 sed: unknown key. Did you mean "seed"?`,
      `${bug}:2:1 batches: -1 is too small: at least 0`,
      `${worse}:1:3 extends: unknown scenario "bug2". Did you mean "bug"?`,
    ];
    expect(await validate(folder, worse)).toMatchObject({
      code: 1,
      stdout: [...lines, '3 checked, 3 errors', ''].join('\n'),
      stderr: '',
    });
    expect(await validate(join(folder, 'fine.yaml'))).toMatchObject({
      code: 0,
      stdout: '1 checked, 0 errors\n',
    });
  });

  test('a file may use what is beside it, as it may when it is served', async () => {
    const folder = makeFolder({
      'bug.yaml': 'extends: other\nfaults: ["listRuns: reply 200 fixture=mine"]\n',
      'other.yaml': 'sed: 7\n',
      'good.yaml': 'extends: right\nfaults: ["listRuns: reply 200 fixture=mine"]\n',
      'right.yaml': 'batches: 3\n',
      'fixtures/responses/mine.json': '{}',
    });
    expect(await validate(join(folder, 'good.yaml'))).toMatchObject({
      code: 0,
      stdout: '1 checked, 0 errors\n',
    });
    expect(await validate(join(folder, 'bug.yaml'))).toMatchObject({
      code: 1,
      stdout: `${join(folder, 'other.yaml')}:1:1 sed: unknown key. Did you mean "seed"?\n1 checked, 1 error\n`,
    });
  });

  test('counts one error as one', async () => {
    const file = join(makeFolder({ 'bug.yaml': 'sed: 7\n' }), 'bug.yaml');
    const { code, stdout } = await spawnCli('validate', file).ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n1 checked, 1 error\n$/);
  });

  test('warns of written records that contradict themselves; warnings alone are no failure', async () => {
    const folder = makeFolder({
      'bug.yaml': 'threads:\n  t:\n    records:\n      - { id: run_a, status: completed, usage: null }\n',
      'child.yaml': 'extends: bug\n',
      'worse/worse.yaml': 'sed: 7\n',
    });
    const warning = `${join(folder, 'bug.yaml')}:4:9 threads.t.records[0]: warning: usage is null in completed`;
    expect(await validate(folder)).toMatchObject({
      code: 0,
      stdout: `${warning}\n2 checked, 0 errors, 1 warning\n`,
      stderr: '',
    });
    expect(await validate(folder, join(folder, 'worse'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^.*worse\.yaml:1:1 sed: .*\n.*bug\.yaml:4:9 .*\n3 checked, 1 error, 1 warning\n$/,
      ),
    });
  });

  test('continues after a file that cannot be read', async () => {
    const folder = makeFolder({ 'bug.yaml': 'sed: 7\n', 'twin/bug.yaml': 'seeds: 7\n' });
    const [bug, twin] = [join(folder, 'bug.yaml'), join(folder, 'twin')];
    expect(await validate('./none.json', './nowhere', bug, twin)).toMatchObject({
      code: 1,
      stdout: [
        './none.json: there is no such file',
        './nowhere: there is no such folder',
        `${bug}:1:1 sed: unknown key. Did you mean "seed"?`,
        `${join(twin, 'bug.yaml')}:1:1 seeds: unknown key. Did you mean "seed"?`,
        '4 checked, 4 errors',
        '',
      ].join('\n'),
      stderr: '',
    });
  });
});

describe('gateway-mock scenarios', () => {
  test('lists what ships, each with its description', async () => {
    const { code, stdout } = await runCli('scenarios');
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^(\S+) {2,}\S/.exec(line)?.[1]);
    expect([code, names]).toEqual([0, scenarioNames()]);
  });

  test('lists those of a folder, too, and tells which have errors', async () => {
    const folder = makeFolder({ 'bug.yaml': 'description: My bug.\n', 'broken.yaml': 'sed: 7\n' });
    const { code, stdout } = await runCli('scenarios', '--scenarios', folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bug +My bug\.$/m);
    expect(stdout).toMatch(/^broken +\(invalid: see gateway-mock validate\)$/m);
  });
});

describe('gateway-mock serves', () => {
  const files = { 'bug.yaml': 'extends: other\nseed: 17\n', 'other.yaml': 'batches: 3\n' };
  const readLength = async (baseUrl: string): Promise<unknown> => {
    const body: unknown = await (await fetch(`${baseUrl}/batches`, { headers: keys })).json();
    return Object(body).data.length;
  };

  test.each([
    ['a file', (folder: string) => ['--scenario', join(folder, 'bug.yaml')]],
    ['a name in a folder', (folder: string) => ['--scenarios', folder, '--scenario', 'bug']],
    [
      'a name in a file',
      (folder: string) => ['--scenarios', join(folder, 'other.yaml'), '--scenario', 'other'],
    ],
  ])('%s', async (_name, toOptions) => {
    const cli = await serveCli('--json', ...toOptions(makeFolder(files)));
    expect(await readLength(cli.baseUrl)).toBe(3);
    expect(cli.lines()[0]).toMatch(/"scenario":"(bug","seed":17|other","seed":42),/);
  });

  test('no broken file: it says what is wrong, and ends', async () => {
    const folder = makeFolder({ 'bug.yaml': 'sed: 7\n' });
    const { code, stderr } = await runCli('--port', '0', '--scenario', join(folder, 'bug.yaml'));
    expect(code).toBe(2);
    expect(stderr).toContain('bug.yaml:1:1 sed: unknown key. Did you mean "seed"?');
  });

  test('no name that there is not', async () => {
    const { code, stderr } = await runCli(
      '--port',
      '0',
      '--scenarios',
      makeFolder(files),
      '--scenario',
      'bgu',
    );
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "bug"?');
  });
});

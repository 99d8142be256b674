// What the command line makes of files and folders of scenarios.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioNames } from '../../src/index.ts';
import { makeFolder } from '../support/make-folder.ts';
import { runCli, serveHere } from '../support/run-cli.ts';
import { keys } from '../support/transports.ts';

describe('gateway-mock validate', () => {
  const validate = (...files: string[]) => runCli('validate', ...files);
  const fine = { code: 0, stdout: '1 checked, 0 errors\n', stderr: '' };

  test('knows the faults of own calls, by --calls', async () => {
    const call = `{ id: 'approve', method: 'POST', path: '/approve', handle: () => ({}) }`;
    const folder = makeFolder({
      'a.yaml': "faults: ['approve: 503']\n",
      'calls.mjs': `export const a = ${call};\n`,
      'broken.mjs': 'export const a = ;',
      'taken.mjs': `export const a = ${call.replace('/approve', '/batches').replace('POST', 'GET')};\n`,
    });
    const file = (name: string) => join(folder, name);
    expect((await validate(file('a.yaml'))).stdout).toContain('unknown operation "approve"');
    expect(await validate(file('a.yaml'), '--calls', file('calls.mjs'))).toMatchObject(fine);
    expect((await validate(file('a.yaml'), '--calls', file('broken.mjs'))).stderr).toContain(
      `gateway-mock: Failed to load the calls from ${file('broken.mjs')}: `,
    );
    for (const command of [['validate', file('a.yaml')], ['openapi']])
      expect(await runCli(...command, '--calls', file('taken.mjs'))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('GET /batches is that of the operation "listBatches"'),
      });
    const missing = await validate(file('a.yaml'), '--calls', 'nowhere.mjs');
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Failed to load the calls from nowhere.mjs'),
    });
  });

  test('finds nothing wrong with what ships, but the partial that prompt-library lacks on purpose', async () => {
    const { code, stdout, stderr } = await validate('scenarios');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [warning, summary] = stdout.split('\n').filter((line) => !line.includes(': prompt '));
    expect(warning).toContain('warning: the partial {{>prompt_of_no_such_name}} does not exist');
    expect(summary).toBe(`${scenarioNames().length} checked, 0 errors, 1 warning`);
  });

  test('names the variables, partials and versions of each prompt of a valid file', async () => {
    const file = join(
      makeFolder({
        'p.yaml': [
          'prompts:',
          '  letter: { messages: [{ role: user, content: "{{text}} {{>signature}}" }] }',
          '  signature: { string: "Signed, {{agent}}" }',
          '  hello: { versions: [{ version: 2, labels: [new], messages: [{ role: user, content: Hi }] }] }',
        ].join('\n'),
      }),
      'p.yaml',
    );
    const lines = [
      'letter (text, agent; partials: signature)',
      'signature (agent)',
      'hello (no variables; versions: 2 (new, published))',
    ].map((line) => `${file}: prompt ${line}\n`);
    expect(await validate(file)).toMatchObject({ code: 0, stdout: `${lines.join('')}1 checked, 0 errors\n` });
  });

  test('fails without anything to check', async () => {
    const empty = makeFolder({ 'README.md': 'No scenario.' });
    const good = makeFolder({ 'fine.yaml': 'seed: 1\n' });
    for (const args of [[empty], [good, empty]])
      expect(await validate(...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`gateway-mock: no scenario files found in ${empty}. Usage: `),
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
    expect(await validate(join(folder, 'fine.yaml'))).toMatchObject(fine);
  });

  test('a file may use what is beside it, as it may when it is served', async () => {
    const folder = makeFolder({
      'bug.yaml': 'extends: other\nprompts: { p: mine }\n',
      'other.yaml': 'sed: 7\n',
      'good.yaml': 'extends: right\nprompts: { p: mine }\n',
      'right.yaml': 'batches: 3\n',
      'fixtures/prompts/mine.json': '{ "messages": [{ "role": "user" }] }',
    });
    expect(await validate(join(folder, 'good.yaml'))).toMatchObject({
      code: 0,
      stdout: `${join(folder, 'good.yaml')}: prompt p (no variables)\n1 checked, 0 errors\n`,
    });
    expect(await validate(join(folder, 'bug.yaml'))).toMatchObject({
      code: 1,
      stdout: `${join(folder, 'other.yaml')}:1:1 sed: unknown key. Did you mean "seed"?\n1 checked, 1 error\n`,
    });
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
    const bug = join(makeFolder({ 'bug.yaml': 'sed: 7\n' }), 'bug.yaml');
    expect(await validate('./none.json', './nowhere', bug)).toMatchObject({
      code: 1,
      stdout: [
        './none.json: there is no such file',
        './nowhere: there is no such folder',
        `${bug}:1:1 sed: unknown key. Did you mean "seed"?`,
        '3 checked, 3 errors',
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

  test('lists those of a folder, too, and shows which have errors', async () => {
    const folder = makeFolder({ 'bug.yaml': 'description: My bug.\n', 'broken.yaml': 'sed: 7\n' });
    const { code, stdout } = await runCli('scenarios', '--scenarios', folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bug +My bug\.$/m);
    expect(stdout).toMatch(/^broken +\(invalid: see gateway-mock validate\)$/m);
  });
});

describe('gateway-mock serves', () => {
  const files = { 'bug.yaml': 'extends: other\nseed: 17\n', 'other.yaml': 'batches: 3\n' };

  test.each([
    ['a file', (folder: string) => ['--scenario', join(folder, 'bug.yaml')]],
    ['a name in a folder', (folder: string) => ['--scenarios', folder, '--scenario', 'bug']],
    [
      'a name in a file',
      (folder: string) => ['--scenarios', join(folder, 'other.yaml'), '--scenario', 'other'],
    ],
  ])('%s', async (_name, toOptions) => {
    const { baseUrl, lines } = await serveHere('--json', ...toOptions(makeFolder(files)));
    const body: unknown = await (await fetch(`${baseUrl}/batches`, { headers: keys })).json();
    expect(Object(body).data).toHaveLength(3);
    expect(lines()[0]).toMatch(/"scenario":"(bug","seed":17|other","seed":42),/);
  });

  test('no broken file, and no unknown name', async () => {
    const folder = makeFolder({ 'bug.yaml': 'sed: 7\n', 'fine.yaml': '' });
    expect(await runCli('--scenario', join(folder, 'bug.yaml'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bug.yaml:1:1 sed: unknown key. Did you mean "seed"?'),
    });
    expect(await runCli('--scenarios', folder, '--scenario', 'fin')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "fine"?'),
    });
  });
});

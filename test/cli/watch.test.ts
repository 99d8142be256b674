import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import { watchPaths } from '../../src/core/scenario/watch-paths.ts';
import type { ServerOptions } from '../../src/server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { serveHere } from '../support/run-cli.ts';
import { keys } from '../support/transports.ts';

/** Makes the watchers of this process wait for `lookAgain` instead of for their interval. */
const fakeIntervals = (): void => {
  if (vi.isFakeTimers()) return; // otherwise it would drop those of a server that the test started before
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
};
const lookAgain = () => vi.advanceTimersByTime(200);

describe('what is watched', () => {
  /** Watches the folder `watched` of a new folder. Returns how often it called back. */
  const watch = (files: Readonly<Record<string, string>>, prepare: (folder: string) => void = () => {}) => {
    fakeIntervals();
    const folder = makeFolder({ 'watched/bug.yaml': 'batches: 1\n', ...files });
    prepare(folder);
    const onChange = vi.fn();
    onTestFinished(watchPaths([join(folder, 'watched')], onChange));
    return {
      onChange,
      inFolder: (path: string) => join(folder, path),
      write: (text: string, path = 'watched/bug.yaml') => writeFileSync(join(folder, path), text),
    };
  };
  type Watched = ReturnType<typeof watch>;

  const putBeside = ({ write, inFolder }: Watched): void => {
    write('batches: 3\n', 'elsewhere/next.tmp');
    renameSync(inFolder('elsewhere/next.tmp'), inFolder('elsewhere/real.yaml')); // as editors do
  };

  test.each<
    [what: string, files: object, prepare: (folder: string) => void, ...edits: ((of: Watched) => void)[]]
  >([
    ['an edit', {}, () => {}, ({ write }) => write('batches: 3\n'), ({ write }) => write('batches: 4\n')],
    [
      'a new file in the place of the old one, as editors put it there',
      {},
      () => {},
      ...[2, 3].map((count) => ({ write, inFolder }: Watched) => {
        write(`batches: ${count}\n`, 'watched/.bug.yaml.swp');
        renameSync(inFolder('watched/.bug.yaml.swp'), inFolder('watched/bug.yaml'));
      }),
    ],
    [
      'a file that is removed, and back',
      {},
      () => {},
      ({ inFolder }) => rmSync(inFolder('watched/bug.yaml')),
      ({ write }) => write('batches: 2\n'),
    ],
    [
      'a folder in the place of the old one, as after a switch of branches, and an edit in it',
      { 'next/bug.yaml': 'batches: 2\n' },
      () => {},
      ({ inFolder }) => {
        renameSync(inFolder('watched'), inFolder('old'));
        renameSync(inFolder('next'), inFolder('watched'));
      },
      ({ write }) => write('batches: 3\n'),
    ],
    [
      'an edit of a file in another folder, to which a link leads',
      { 'elsewhere/real.yaml': 'batches: 2\n' },
      (folder) => symlinkSync(join(folder, 'elsewhere/real.yaml'), join(folder, 'watched/link.yaml')),
      ({ write }) => write('batches: 30\n', 'elsewhere/real.yaml'),
      putBeside,
    ],
    [
      'a link that is set to another folder, as in a ConfigMap',
      { 'watched/one/a.yaml': 'batches: 1\n', 'watched/two/a.yaml': 'batches: 2\n' },
      (folder) => {
        symlinkSync('one', join(folder, 'watched/..data'));
        symlinkSync('..data/a.yaml', join(folder, 'watched/a.yaml'));
      },
      ...['two', 'one'].map((target) => ({ inFolder }: Watched) => {
        symlinkSync(target, inFolder('watched/..next'));
        renameSync(inFolder('watched/..next'), inFolder('watched/..data'));
      }),
    ],
    [
      'a fixture in a folder that is made later, and an edit of it',
      {},
      () => {},
      ({ inFolder, write }) => {
        mkdirSync(inFolder('watched/fixtures/prompts'), { recursive: true });
        write('messages: []\n', 'watched/fixtures/prompts/hello.yaml');
      },
      ({ write }) => write('messages: [] \n', 'watched/fixtures/prompts/hello.yaml'),
    ],
    [
      'an edit beside links that lead nowhere, as of an editor that locks a file, and to themselves',
      {},
      (folder) => {
        symlinkSync('user@host.123', join(folder, 'watched/.#bug.yaml'));
        symlinkSync('own.yaml', join(folder, 'watched/own.yaml'));
      },
      ({ write }) => write('batches: 3\n'),
    ],
  ])('%s is noticed', (_what, files, prepare, ...edits) => {
    const watched = watch(files as Record<string, string>, prepare);
    for (const [at, edit] of edits.entries()) {
      edit(watched);
      vi.advanceTimersByTime(1000);
      expect(watched.onChange).toHaveBeenCalledTimes(at + 1);
    }
  });

  test('what an editor puts beside the file is no change', () => {
    const { onChange, write } = watch({});
    for (const file of ['.bug.yaml.swp', '4913', 'bug.yaml~', 'scenario.schema.json'])
      write('batches: 3\n', `watched/${file}`);
    vi.advanceTimersByTime(1000);
    expect(onChange).not.toHaveBeenCalled();
  });

  test('a file is loaded only once it is complete', () => {
    const { onChange, write } = watch({});
    for (const text of ['', 'batches:', 'batches: 3\n']) {
      write(text);
      lookAgain();
      expect(onChange).not.toHaveBeenCalled();
    }
    lookAgain();
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

/** Lets the watcher look at the files until the check passes. */
const untilPassed = (check: () => unknown) =>
  vi.waitFor(
    () => {
      lookAgain();
      return check();
    },
    { timeout: 100_000, interval: 10 },
  );

const start = async (options: (folder: string) => ServerOptions) => {
  fakeIntervals();
  const folder = makeFolder({
    'fixtures/prompts/hello.yaml': 'messages: [{ role: user, content: Hello }]\n',
    'bug.yaml': 'batches: 1\nprompts: { prompt_a: hello }\n',
  });
  const reloads: (string | undefined)[] = [];
  const server = await openServer({
    watch: true,
    onReload: (error) => reloads.push(error?.message),
    ...options(folder),
  });
  const count = async (): Promise<number> => {
    const body: unknown = await (await fetch(`${server.baseUrl}/batches`, { headers: keys })).json();
    return Object(body).data.length;
  };
  const write = (text: string, file = 'bug.yaml'): void => writeFileSync(join(folder, file), text);
  return { folder, server, reloads, count, write };
};

const byName = (folder: string): ServerOptions => ({ scenarios: [folder], scenario: 'bug' });

describe.each([
  ['a folder and a name', byName],
  ['the path of a file', (folder: string): ServerOptions => ({ scenario: join(folder, 'bug.yaml') })],
])('with %s, watched', (_name, options) => {
  test('an edit creates every world again, visibly, and a session that was removed stays removed', async () => {
    const { server, count, write, reloads } = await start((folder) => ({
      ...options(folder),
      maxSessions: 3,
    }));
    const look = async (session: string) => {
      const { status, headers } = await fetch(`${server.url}/sessions/${session}/v1/batches`, {
        headers: keys,
      });
      return { status, world: headers.get('x-mock-world'), isNew: headers.has('x-mock-world-new') };
    };
    await look('removed');
    const before = [await look('default'), await look('mine'), await look('other')];
    const control = connect(server.url, { session: 'mine' });
    await control.records.batches.create({});
    write('batches: 3\n');
    await untilPassed(() => expect(reloads).toEqual([undefined]));
    expect(await count()).toBe(3);
    const after = [await look('default'), await look('mine'), await look('other')];
    expect(new Set([...before, ...after].map(({ world }) => world)).size).toBe(6);
    expect(after.map(({ isNew }) => isNew)).toEqual([false, true, true]);
    await expect(control.clock.now()).rejects.toThrow('The world of the session "mine" is lost');
    expect(await server.session('mine').records.batches.list()).toHaveLength(3);
    expect(await look('removed')).toEqual({ status: 410, world: null, isNew: false });
  });

  test('an invalid edit is reported, the last valid scenario stays in use, and the next valid one is served', async () => {
    const { folder, count, write, reloads } = await start(options);
    write('batches: -3\n');
    await untilPassed(() =>
      expect(reloads.at(-1)).toContain('bug.yaml:1:1 batches: -3 is too small: at least 0'),
    );
    rmSync(join(folder, 'bug.yaml'));
    await untilPassed(() => expect(reloads.at(-1)).toMatch(/Failed to (load|read) the scenario/));
    expect(await count()).toBe(1);
    write('batches: 5\n');
    await untilPassed(async () => expect(await count()).toBe(5));
    expect(reloads.at(-1)).toBeUndefined();
  });

  test('serves an edited fixture, and reports a broken one', async () => {
    const { folder, server, write, reloads } = await start(options);
    const render = async (): Promise<string> => {
      const headers = { ...keys, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: '{"variables":{}}' };
      return (await fetch(`${server.baseUrl}/prompts/prompt_a/render`, init)).text();
    };
    write('messages: [{ role: user, content: Goodbye }]\n', 'fixtures/prompts/hello.yaml');
    await untilPassed(async () => expect(await render()).toContain('Goodbye'));
    write('messages: [{ role: user, content: "No end }]\n', 'fixtures/prompts/hello.yaml');
    const place = `${join(folder, 'fixtures/prompts/hello.yaml')}:1:35`;
    await untilPassed(() => expect(reloads.at(-1)).toContain(place));
    expect(await render()).toContain('Goodbye');
  });
});

test('a server that has closed reloads nothing', async () => {
  const { server, write, reloads } = await start(byName);
  write('batches: 3\n');
  await server.close();
  vi.advanceTimersByTime(1000);
  expect([reloads, vi.getTimerCount()]).toEqual([[], 0]);
});

test('gateway-mock --watch prints a message for each reload, in JSON a line', async () => {
  fakeIntervals();
  const file = join(makeFolder({ 'bug.yaml': 'batches: 1\n' }), 'bug.yaml');
  const [text, json] = [
    await serveHere('--watch', '--quiet', '--scenario', file),
    await serveHere('--watch', '--json', '--scenario', file),
  ];
  writeFileSync(file, 'batches: 3\nsed: 7\n');
  await untilPassed(() =>
    expect(text.stdout()).toMatch(/bug\.yaml:2:1 sed: .*\nThe last valid scenario stays in use\.\n/),
  );
  await untilPassed(() => expect(json.lines()).toHaveLength(2));
  expect(JSON.parse(json.lines()[1] ?? '')).toMatchObject({
    event: 'reload',
    scenario: file,
    error: expect.stringContaining('sed: unknown key'),
  });
  writeFileSync(file, 'batches: 3\n');
  await untilPassed(() => expect(text.stdout()).toContain(`Reloaded ${file}.\n`));
  const body: unknown = await (await fetch(`${text.baseUrl}/batches`, { headers: keys })).json();
  expect(Object(body).data).toHaveLength(3);
});

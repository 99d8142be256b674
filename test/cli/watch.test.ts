import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import { watchPaths } from '../../src/scenario/watch-paths.ts';
import type { ServerOptions } from '../../src/server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

const bounds = { timeout: 30_000, interval: 10 };

/** Makes the watcher of this process wait for `lookAgain` instead of for its interval. */
const fakeIntervals = (): void => {
  if (vi.isFakeTimers()) return; // otherwise it would drop those of a server that the test started before
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
};
const lookAgain = () => vi.advanceTimersByTime(200);

/** Lets the watcher look at the files until the check passes. */
const untilPassed = (check: () => unknown) =>
  vi.waitFor(() => {
    lookAgain();
    return check();
  }, bounds);

const makeBugFolder = (): string =>
  makeFolder({
    'fixtures/prompts/hello.yaml': 'messages: [{ role: user, content: Hello }]\n',
    'bug.yaml': 'batches: 1\nprompts: { prompt_a: hello }\n',
  });

const start = async (options: (folder: string) => ServerOptions) => {
  fakeIntervals();
  const folder = makeBugFolder();
  const reloads: (string | undefined)[] = [];
  const server = await openServer({
    watch: true,
    onReload: (error) => reloads.push(error?.message),
    ...options(folder),
  });
  const count = async (path = '/v1/batches'): Promise<number> => {
    const body: unknown = await (await fetch(server.url + path, { headers: keys })).json();
    return Object(body).data.length;
  };
  const render = async (): Promise<string> => {
    const headers = { ...keys, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"variables":{}}' };
    return (await fetch(`${server.baseUrl}/prompts/prompt_a/render`, init)).text();
  };
  const write = (text: string, file = 'bug.yaml'): void => writeFileSync(join(folder, file), text);
  return { folder, server, reloads, count, render, write };
};

const byName = (folder: string): ServerOptions => ({ scenarios: [folder], scenario: 'bug' });

describe.each([
  ['a folder and a name', byName],
  ['the path of a file', (folder: string): ServerOptions => ({ scenario: join(folder, 'bug.yaml') })],
])('with %s, watched', (_name, options) => {
  test('an edit is served', async () => {
    const { count, write, reloads } = await start(options);
    expect(await count()).toBe(1);
    write('batches: 3\n');
    await untilPassed(async () => expect(await count()).toBe(3));
    expect(reloads.at(-1)).toBeUndefined();
  });

  test('an edit creates every world again, visibly, and a session that was removed stays removed', async () => {
    const { server, write, reloads } = await start((folder) => ({ ...options(folder), maxSessions: 3 }));
    const look = async (session: string) => {
      const { status, headers } = await fetch(`${server.url}/sessions/${session}/v1/batches`, {
        headers: keys,
      });
      return { status, world: headers.get('x-mock-world'), isNew: headers.has('x-mock-world-new') };
    };
    await look('removed');
    const before = [await look('default'), await look('mine'), await look('other')];
    const control = connect(server.url, { session: 'mine' });
    await control.clock.now();
    write('batches: 3\n');
    await untilPassed(() => expect(reloads.length).toBeGreaterThan(0));
    const after = [await look('default'), await look('mine'), await look('other')];
    expect(new Set([...before, ...after].map(({ world }) => world)).size).toBe(6);
    expect(after.map(({ isNew }) => isNew)).toEqual([false, true, true]);
    await expect(control.clock.now()).rejects.toThrow('The world of the session "mine" is lost');
    expect(await look('removed')).toEqual({ status: 410, world: null, isNew: false });
  });

  test('an invalid edit is reported, the last valid scenario stays in use, and the next valid one is served', async () => {
    const { count, write, reloads } = await start(options);
    write('batches: -3\n');
    await untilPassed(() =>
      expect(reloads.at(-1)).toContain('bug.yaml:1:1 batches: -3 is too small: at least 0'),
    );
    expect(await count()).toBe(1);
    write('batches: 5\n');
    await untilPassed(async () => expect(await count()).toBe(5));
    expect(reloads.at(-1)).toBeUndefined();
  });

  test('serves an edited fixture, and reports a broken one', async () => {
    const { folder, render, write, reloads } = await start(options);
    expect(await render()).toContain('Hello');
    write('messages: [{ role: user, content: Goodbye }]\n', 'fixtures/prompts/hello.yaml');
    await untilPassed(async () => expect(await render()).toContain('Goodbye'));
    write('messages: [{ role: user, content: "No end }]\n', 'fixtures/prompts/hello.yaml');
    const place = `${join(folder, 'fixtures/prompts/hello.yaml')}:1:35`;
    await untilPassed(() => expect(reloads.at(-1)).toContain(place));
    expect(await render()).toContain('Goodbye');
  });

  test('a file that an editor replaces by a new one goes on being watched', async () => {
    const { folder, count, write } = await start(options);
    for (const batches of [2, 3, 4]) {
      write(`batches: ${batches}\n`, '.bug.yaml.swp');
      renameSync(join(folder, '.bug.yaml.swp'), join(folder, 'bug.yaml'));
      await untilPassed(async () => expect(await count()).toBe(batches));
    }
  });

  test('a removed file is reported, and served again when it is back', async () => {
    const { folder, count, write, reloads } = await start(options);
    rmSync(join(folder, 'bug.yaml'));
    await untilPassed(() => expect(reloads.at(-1)).toMatch(/Failed to (load|read) the scenario/));
    expect(await count()).toBe(1);
    write('batches: 2\n');
    await untilPassed(async () => expect(await count()).toBe(2));
  });
});

test('a folder that is replaced, as by a switch of branches, goes on being watched', async () => {
  const { folder, count, write } = await start(byName);
  for (const batches of [2, 3]) {
    const next = makeFolder({ 'bug.yaml': `batches: ${batches}\n` });
    renameSync(folder, `${folder}-${batches}`);
    onTestFinished(() => rmSync(`${folder}-${batches}`, { recursive: true }));
    renameSync(next, folder);
    await untilPassed(async () => expect(await count()).toBe(batches));
    write(`batches: ${batches + 5}\n`);
    await untilPassed(async () => expect(await count()).toBe(batches + 5));
  }
});

test('a link to a scenario in another folder: an edit of that file is served', async () => {
  const elsewhere = makeFolder({ 'real.yaml': 'batches: 2\n' });
  const link = join(makeFolder(), 'bug.yaml');
  symlinkSync(join(elsewhere, 'real.yaml'), link);
  const { count } = await start(() => ({ scenario: link }));
  expect(await count()).toBe(2);
  for (const batches of [4, 5]) {
    writeFileSync(join(elsewhere, 'next.tmp'), `batches: ${batches}\n`);
    renameSync(join(elsewhere, 'next.tmp'), join(elsewhere, 'real.yaml')); // as editors do
    await untilPassed(async () => expect(await count()).toBe(batches));
  }
});

test.each([
  ['made', (link: string, target: string) => symlinkSync(target, link)],
  [
    'put in the place of a file',
    (link: string, target: string) => {
      writeFileSync(link, 'batches: 1\n');
      symlinkSync(target, `${link}.tmp`);
      renameSync(`${link}.tmp`, link);
    },
  ],
])('a link that is %s while the folder is watched: edits of its file are served', async (_name, make) => {
  const elsewhere = makeFolder({ 'real.yaml': 'batches: 2\n' });
  const { folder, count } = await start(byName);
  rmSync(join(folder, 'bug.yaml'));
  make(join(folder, 'bug.yaml'), join(elsewhere, 'real.yaml'));
  await untilPassed(async () => expect(await count()).toBe(2));
  for (const batches of [4, 5]) {
    writeFileSync(join(elsewhere, 'real.yaml'), `batches: ${batches}\n`);
    await untilPassed(async () => expect(await count()).toBe(batches));
  }
});

test('files that are links through a link, as in a ConfigMap, are read again when that is set to another folder', async () => {
  const folder = makeFolder({ 'one/bug.yaml': 'batches: 1\n', 'two/bug.yaml': 'batches: 2\n' });
  symlinkSync('one', join(folder, '..data'));
  symlinkSync('..data/bug.yaml', join(folder, 'bug.yaml'));
  let changes = 0;
  fakeIntervals();
  onTestFinished(
    watchPaths([folder], () => {
      changes += 1;
    }),
  );
  for (const [at, target] of ['two', 'one'].entries()) {
    symlinkSync(target, join(folder, '..next'));
    renameSync(join(folder, '..next'), join(folder, '..data'));
    await untilPassed(() => expect(changes).toBe(at + 1));
  }
});

test('a folder of fixtures that is made later is watched, too', async () => {
  fakeIntervals();
  const folder = makeFolder({ 'bug.yaml': 'batches: 1\n' });
  const onChange = vi.fn();
  onTestFinished(watchPaths([folder], onChange));
  mkdirSync(join(folder, 'fixtures/prompts'), { recursive: true });
  for (const calls of [1, 2]) {
    writeFileSync(join(folder, 'fixtures/prompts/hello.yaml'), `messages: []${' '.repeat(calls)}\n`);
    await untilPassed(() => expect(onChange).toHaveBeenCalledTimes(calls));
  }
});

test.each([
  ['leads nowhere, as that of an editor which locks a file', 'user@host.123'],
  ['leads to itself', '.#bug.yaml'],
])('a link in the folder that %s breaks nothing', async (_name, target) => {
  const { folder, count, write } = await start(byName);
  symlinkSync(target, join(folder, '.#bug.yaml'));
  write('batches: 3\n');
  await untilPassed(async () => expect(await count()).toBe(3));
});

test('all sessions start again', async () => {
  const { server, count, write } = await start(byName);
  const path = '/sessions/mine/v1/batches';
  await server.records.batches.create({ id: 'batch_a' });
  await server.session('mine').records.batches.create({ id: 'batch_b' });
  expect([await count(), await count(path)]).toEqual([2, 2]);
  write('batches: 5\n');
  await untilPassed(async () => expect([await count(), await count(path)]).toEqual([5, 5]));
  expect((await server.records.batches.list()).length).toBe(5);
});

test('what an editor puts beside the file reloads nothing', () => {
  fakeIntervals();
  const folder = makeBugFolder();
  const onChange = vi.fn();
  onTestFinished(watchPaths([folder], onChange));
  const write = (...files: string[]): void => {
    for (const file of files) writeFileSync(join(folder, file), 'batches: 3\n');
    vi.advanceTimersByTime(1000);
  };
  write('.bug.yaml.swp', '4913', 'bug.yaml~', 'scenario.schema.json');
  expect(onChange).not.toHaveBeenCalled();
  write('other.yaml', 'bug.yaml');
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('a file is loaded only once it is complete', () => {
  fakeIntervals();
  const folder = makeBugFolder();
  const onChange = vi.fn();
  const stop = watchPaths([folder], onChange);
  for (const text of ['', 'batches:', 'batches: 3\n']) {
    writeFileSync(join(folder, 'bug.yaml'), text);
    lookAgain();
    expect(onChange).not.toHaveBeenCalled();
  }
  lookAgain();
  expect(onChange).toHaveBeenCalledTimes(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a server that has closed reloads nothing', async () => {
  const { server, write, reloads } = await start(byName);
  write('batches: 3\n');
  await server.close();
  const next = await start(byName);
  next.write('batches: 3\n');
  await untilPassed(() => expect(next.reloads).toHaveLength(1));
  expect(reloads).toEqual([]);
});

describe('gateway-mock --watch', () => {
  /** Whole at once: another process might else read the file while it is still empty. */
  const replace = (file: string, text: string): void => {
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  };

  test('tells of each reload, and serves it', async () => {
    const file = join(makeBugFolder(), 'bug.yaml');
    const cli = await serveCli('--watch', '--quiet', '--scenario', file);
    replace(file, 'batches: 3\nsed: 7\n');
    await vi.waitFor(
      () => expect(cli.stdout()).toMatch(/bug\.yaml:2:1 sed: .*\nThe last valid scenario stays in use\.\n/),
      bounds,
    );
    replace(file, 'batches: 3\n');
    await vi.waitFor(() => expect(cli.stdout()).toContain(`Reloaded ${file}.\n`), bounds);
    const body: unknown = await (await fetch(`${cli.baseUrl}/batches`, { headers: keys })).json();
    expect(Object(body).data).toHaveLength(3);
    expect(await cli.stop()).toMatchObject({ code: 0 });
  });

  test('tells of them in JSON, one line each', async () => {
    const file = join(makeBugFolder(), 'bug.yaml');
    const cli = await serveCli('--watch', '--json', '--scenario', file);
    replace(file, 'batches: "\n');
    await vi.waitFor(() => expect(cli.lines()).toHaveLength(2), bounds);
    expect(JSON.parse(cli.lines()[1] ?? '')).toMatchObject({
      event: 'reload',
      scenario: file,
      error: expect.stringContaining('the quote that starts here is not closed'),
    });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');

/**
 * The wings of `src/` and the folders in each, from the top down, as docs/contributing/how-it-works.md has them. A file imports from its own
 * folder and from those below it. Tools and control room stand beside each other: neither imports the other.
 */
const wings = {
  'entry points': ['.'],
  tools: ['cli', 'test-gateway', 'capture', 'conformance'],
  'control-room': ['.'],
  service: ['server', 'admin', 'openapi', 'client', 'calls', 'gateway', 'control'],
  core: [
    'scenario',
    'journal',
    'faults',
    'quotas',
    'transports',
    'operations',
    'world',
    'protocol',
    'assumptions',
    'util',
  ],
} as const;

const floors = Object.entries(wings).flatMap(([wing, folders]) =>
  wing === 'entry points' || wing === 'control-room' ? [wing] : folders.map((folder) => `${wing}/${folder}`),
);

/** What Node alone runs; everything else also runs in a browser. */
const nodeOnly =
  /^(node|server|cli|vitest|jest|playwright)\.ts$|^(tools\/(cli|test-gateway)|service\/server)\/|^service\/admin\/control-room-page\.ts$|^core\/transports\/(express|handler-middleware)\.ts$|^core\/scenario\/(?:folder|schema-comment|watch-paths)\.ts$/;

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.endsWith('.test.ts'));

interface Import {
  readonly from: string;
  readonly target: string;
  readonly isType: boolean;
}

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(source, file), 'utf8');
  const statement = /^(?:import|export)( type)?\b[^'";]*?'([^']+)';|\bimport\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].map(([, type, from, lazy]) => {
    const name = from ?? lazy ?? '';
    return {
      from: file,
      target: name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
      isType: type !== undefined,
    };
  });
};

const imports = files.flatMap(importsOf);
/** The line of the list that a file stands on; -1 if there is none. */
const floorOf = (file: string): number =>
  /^[^/]+\.ts$/.test(file)
    ? floors.indexOf('entry points')
    : floors.findIndex((floor) => file.startsWith(`${floor}/`));
const wingOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : 'entry points');
const roomOf = (file: string): string | undefined => /^core\/operations\/([^/]+)\//.exec(file)?.[1];

describe('the tree', () => {
  test('is found, and has every file on a floor', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(150);
    expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
  });

  test('imports only downwards', () => {
    const upwards = imports.filter(
      ({ from, target }) => floorOf(target) !== -1 && floorOf(target) < floorOf(from),
    );
    expect(upwards).toEqual([]);
  });

  test('keeps tools and control room apart', () => {
    const apart = ['tools', 'control-room'];
    const crossing = imports.filter(
      ({ from, target }) =>
        apart.includes(wingOf(from)) && apart.includes(wingOf(target)) && wingOf(from) !== wingOf(target),
    );
    expect(crossing).toEqual([]);
  });

  test('of another room, operations import only its contract.ts, record.ts and lifecycle.ts', () => {
    const intruding = imports.filter(({ from, target }) => {
      const [room, other] = [roomOf(from), roomOf(target)];
      return (
        room !== undefined &&
        other !== undefined &&
        room !== other &&
        !/\/(contract|record|lifecycle)\.ts$/.test(target)
      );
    });
    expect(intruding).toEqual([]);
  });

  test('keeps Node out of all but the entry points for Node', () => {
    const intruding = imports.filter(
      ({ from, target, isType }) => target.startsWith('node:') && !isType && !nodeOnly.test(from),
    );
    expect(intruding).toEqual([]);
  });

  test('uses the library of the models in these and one more file, and that of the values in one', () => {
    const usersOf = (library: string): string[] =>
      imports.filter(({ target, isType }) => target === library && !isType).map(({ from }) => from);
    expect(
      usersOf('@mswjs/data').filter((file) => !/^core\/operations\/[^/]+\/model\.ts$/.test(file)),
    ).toEqual(['core/world/database.ts']);
    expect(usersOf('@faker-js/faker')).toEqual(['core/world/faker.ts']);
  });

  test('has one line a room in operations/index.ts', () => {
    const rooms = readdirSync(join(source, 'core/operations'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const lines = readFileSync(join(source, 'core/operations/index.ts'), 'utf8').trim().split('\n');
    expect(lines.map((line) => /'\.\/([^/]+)\//.exec(line)?.[1])).toEqual(
      rooms.map(({ name }) => name).sort(),
    );
  });

  test('has the same cast in every room, with a model where it defines a kind of record', () => {
    const cast = /\/(contract|model|record|lifecycle|seed|docs|handler)\.ts$/;
    for (const room of new Set(files.flatMap((file) => roomOf(file) ?? []))) {
      const members = files
        .filter((file) => roomOf(file) === room && cast.test(file))
        .map((file) => file.split('/').at(-1));
      const record = readFileSync(join(source, 'core/operations', room, 'record.ts'), 'utf8');
      const model = /: Kind</.test(record) ? ['model.ts'] : [];
      expect(members).toEqual(
        expect.arrayContaining(['contract.ts', 'docs.ts', 'handler.ts', ...model, 'record.ts']),
      );
    }
  });

  test('has no code in the docs of a room, only types: a start would be cut into pieces by it', () => {
    const intruding = imports.filter(({ from, isType }) => from.endsWith('/docs.ts') && !isType);
    expect(intruding).toEqual([]);
  });

  test('reads the wall clock in one place, and draws by chance only the identity of a world', () => {
    const banned = /Date\.now|new Date\(\)|Math\.random|performance\.now|randomUUID|getRandomValues/;
    const users = files.filter((file) => banned.test(readFileSync(join(source, file), 'utf8')));
    // The stopwatch is for durations: in the journal, and of a clock that runs.
    expect(users).toEqual(['core/util/stopwatch.ts', 'core/world/world-id.ts']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');

/** From the top down, as docs/how-it-works.md has them: a file imports from its own floor and from those below it. */
const floors = [
  ['entry points', /^[^/]+\.ts$/],
  ['command line and fixtures', /^(cli|test-gateway)\//],
  ['server', /^server\//],
  ['control room', /^control-room\//],
  ['remote control', /^(admin|openapi|capture|conformance)\//],
  ['gateway', /^gateway\//],
  ['control', /^control\//],
  ['scenario', /^scenario\//],
  ['capabilities', /^(faults|quotas|journal|transports)\//],
  ['operations', /^operations\//],
  ['world', /^world\//],
  ['protocol', /^protocol\//],
  ['util', /^util\//],
] as const;

/** What Node alone runs; everything else runs in a browser, too. */
const nodeOnly =
  /^(node|server|cli|vitest|jest|playwright)\.ts$|^(cli|server|test-gateway)\/|^admin\/page\.ts$|^transports\/(express|handler-middleware)\.ts$|^scenario\/(?:folder|schema-comment|watch-paths)\.ts$/;

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
const floorOf = (file: string): number => floors.findIndex(([, pattern]) => pattern.test(file));
const roomOf = (file: string): string | undefined => /^operations\/([^/]+)\//.exec(file)?.[1];

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
    expect(usersOf('@mswjs/data').filter((file) => !/^operations\/[^/]+\/model\.ts$/.test(file))).toEqual([
      'world/database.ts',
    ]);
    expect(usersOf('@faker-js/faker')).toEqual(['world/faker.ts']);
  });

  test('has one line a room in operations/index.ts', () => {
    const rooms = readdirSync(join(source, 'operations'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const lines = readFileSync(join(source, 'operations/index.ts'), 'utf8').trim().split('\n');
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
      const record = readFileSync(join(source, 'operations', room, 'record.ts'), 'utf8');
      const model = /\bdefineKind[(<]/.test(record) ? ['model.ts'] : [];
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
    expect(users).toEqual(['util/stopwatch.ts', 'world/world-id.ts']);
  });
});

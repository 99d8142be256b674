// What holds for the commands together. The table of docs/admin-api.md lists them all.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '../../src/core/scenario/scenario-schema.ts';
import { checkValue } from '../../src/core/util/check-value.ts';
import { toInput } from '../../src/service/control/call-command.ts';
import { allCommands } from '../../src/service/control/control.ts';
import { openGateway } from '../support/open-gateway.ts';
import { root } from '../support/root.ts';
import { setLimit } from '../support/set-limit.ts';

test('no two operations define the same kind of record', () => {
  const names = kinds.map(({ plural }) => plural);
  expect(names).toEqual([...new Set(names)]);
});

test('the methods of all kinds of records are alike', () => {
  const of = (kind: string) =>
    allCommands
      .filter(({ name }) => name.startsWith(`records.${kind}.`) && !/render|describe|setStatus/.test(name))
      .map(({ name, args, isChange }) => `${name} ${args} ${isChange}`.replaceAll(kind, 'KIND'));
  for (const { plural } of kinds) expect(of(plural)).toEqual(of('runs'));
});

test.each(allCommands.map((command) => [command.name, command] as const))(
  '%s has a sentence that says what it does, and a valid example',
  (_, { summary, args, schema, example }) => {
    expect(summary).toMatch(/^[A-Z].+\.$/s);
    expect(checkValue(schema(), example).errors).toEqual([]);
    expect(args.filter((name) => !(name.replace('...', '') in schema().shape))).toEqual([]);
  },
);

/** The first sentence of each docstring of `interface Control`, by the name of the method; those of records by the last part of it. */
const readSummaries = (): Readonly<Record<string, string>> => {
  const text = readFileSync(join(root, 'src/service/control/control-interface.ts'), 'utf8');
  /** The names of the groups around a property, and its own, by their indent. */
  const names: string[] = [];
  const docstrings = text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n( +)readonly (\w+):/gs);
  const summaries = [...docstrings].map(([, comment = '', indent = '', name = '']) => {
    names.splice(indent.length / 2 - 1, names.length, name);
    const sentence = /^.*?\.(?=\s|$)/.exec(comment.replace(/\s*\n\s*\* ?/g, ' ').trim());
    return [names.join('.'), sentence?.[0] ?? ''];
  });
  return Object.fromEntries(summaries);
};

test('the summary of each command is the first sentence of its docstring', () => {
  const written = readSummaries();
  const expected = allCommands.map(({ name }) => [
    name,
    written[name] ?? written[name.split('.').at(-1) ?? ''],
  ]);
  expect(allCommands.map(({ name, summary }) => [name, summary])).toEqual(expected);
});

/** The examples in the docstrings of `interface Control`; of a method without one, `''`. */
const listExamples = (): (readonly [method: string, code: string])[] => {
  const text = readFileSync(join(root, 'src/service/control/control-interface.ts'), 'utf8');
  const methods = text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+):\s*(?:<[^(]*>)?\(/gs);
  return [...methods].map(([, docstring = '', name = '']) => {
    const [, code = ''] = docstring.split('@example');
    return [name, code.replace(/^\s*\* ?/gm, '')];
  });
};

test.each(listExamples())('the docstring of %s has an example that runs', async (_, code) => {
  expect(code).toContain('control.');
  const { gateway, statuses } = openGateway();
  expect(statuses(2, { path: '/threads/thread_demo/runs' })).toEqual([200, 200]);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor; // it has no name of its own
  await AsyncFunction('control', code)(gateway);
});

test('what follows the named arguments is merged, and what is left out is null', () => {
  const inputOf = (name: string, ...given: readonly unknown[]) => {
    const command = allCommands.find((one) => one.name === name);
    return command && toInput(command, given);
  };
  expect(inputOf('clock.advance', '1h')).toEqual({ by: '1h' });
  expect(inputOf('clock.advance', '1h', 0, ['1h'])).toEqual({ by: '1h' });
  expect(inputOf('state.save', null)).toEqual({});
  expect(inputOf('faults.add', 'a', 'b')).toEqual({ faults: ['a', 'b'] });
  expect(inputOf('requests.list', null, { limit: 2 })).toEqual({ limit: 2 });
  expect(inputOf('requests.list', { path: '/a' }, { limit: 2 })).toEqual({ path: '/a', limit: 2 });
  expect(inputOf('requests.walk', 'listRuns', { seen: [] })).toEqual({ operation: 'listRuns', seen: [] });
  expect(() => inputOf('requests.wait', {}, 100)).toThrow(
    'Failed to call requests.wait: argument 2: expected an object, but found a number.',
  );
});

test('a run in the timeline names its thread, and a batch no owner', async () => {
  const { gateway } = openGateway({ scenario: { threads: { thread_a: { runs: 1 } }, batches: 1 } });
  const owners = (await gateway.clock.timeline()).map(({ kind, owner }) => [kind, owner]);
  expect(owners.sort()).toEqual([
    ['batches', null],
    ['runs', 'thread_a'],
  ]);
});

test('a list has as many records as one call returns without a limit, and one more needs it', async () => {
  const { records } = openGateway({ scenario: { batches: 3 } }).gateway;
  expect(await records.batches.list()).toHaveLength(3); // also makes the schema of the command, once for all tests
  setLimit('listed', 3);
  expect(await records.batches.list()).toHaveLength(3);
  await records.batches.create({});
  await expect(records.batches.list()).rejects.toThrow('Failed to list the batches: there are 4');
  expect(await records.batches.list({ limit: 2 })).toHaveLength(2);
});

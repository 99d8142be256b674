// What `--help` prints.
import { expect, test } from 'vitest';
import { createProgram } from '../../src/tools/cli/command-line.ts';
import { runCli } from '../support/run-cli.ts';

const names = createProgram(
  () => {},
  () => {},
).commands.map((command) => command.name());

const helpOf = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCli(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** The arguments of an example, as a shell would take it apart. */
const toArgs = (line: string): string[] =>
  [...line.matchAll(/"(.*?)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);

/** Parses a command line without running it. Returns the name of its command. */
const parse = async (line: string): Promise<string | undefined> => {
  let parsed: string | undefined;
  const program = createProgram(
    () => {},
    () => {},
  );
  for (const command of program.commands)
    command.allowExcessArguments(false).action(() => {
      parsed = command.name();
    });
  await program.parseAsync(toArgs(line), { from: 'user' });
  return parsed;
};

test('--help has one line for each command, and tells how to get its options', async () => {
  const help = await helpOf('--help');
  const [, list = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  const lines = list.trimEnd().split('\n');
  expect(lines.map((line) => /^ {2}(\w+) +\S/.exec(line)?.[1])).toEqual([...names, 'help']);
  expect(help).toContain('"gateway-mock help COMMAND"');
  expect(help.split('\n').length).toBeLessThan(40);
});

test.each([
  { of: 'the program', args: ['--help'] },
  ...names.map((name) => ({ of: name, args: ['help', name] })),
])(
  'the help of $of fits in 80 columns, and has examples that are valid command lines',
  async ({ of, args }) => {
    const help = await helpOf(...args);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const examples = [...(/^Examples:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}(.*)$/gm)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, line = ''] of examples) {
      expect(line).toMatch(/^gateway-mock\b/);
      expect([line, await parse(line)]).toEqual([line, names.includes(of) ? of : expect.any(String)]);
    }
  },
);

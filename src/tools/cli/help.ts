// The parts of `gateway-mock --help` and of the help of each command besides the options, within 80 columns.
import type { Command, Option } from 'commander';

/** Command lines to copy, for each command. */
const examples: Readonly<Record<string, readonly string[]>> = {
  serve: [
    'gateway-mock --scenario in-flight --seed 7',
    'gateway-mock --scenario scenarios/bug-4711.yaml --watch',
    'gateway-mock serve --port 0 --json --fault "listRuns#3: reset"',
  ],
  exec: ['gateway-mock exec -- pytest -x', 'gateway-mock exec --scenario in-flight -- npx jest'],
  init: ['gateway-mock init', 'gateway-mock init --dir packages/app --runner vitest'],
  scenarios: ['gateway-mock scenarios', 'gateway-mock scenarios --scenarios scenarios'],
  validate: ['gateway-mock validate scenarios/bug-4711.yaml', 'gateway-mock validate scenarios'],
  openapi: ['gateway-mock openapi'],
  verify: ['gateway-mock verify --against https://gateway.example/v1 --keys keys.env'],
  capture: ['gateway-mock capture --against https://gateway.example/v1 -o ours.yaml'],
};

/** Sets how the help of a program and of all its commands is written. Call this before commands are added. */
export const configureHelp = (program: Command): Command =>
  program
    .configureOutput({ getOutHelpWidth: () => 80 })
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription: describeOption })
    .addHelpText(
      'after',
      `
Without a command, it serves at http://127.0.0.1:4010.
"gateway-mock help COMMAND" lists the options of a command, with examples.

Examples:
${toLines(['gateway-mock', 'gateway-mock --scenario in-flight --port 0', 'gateway-mock exec -- pytest -x'])}`,
    );

/**
 * Describes an option: its sentence without the links for the docs, its default (also if Commander has no value for it), and
 * its variable.
 */
const describeOption = ({ description, defaultValue, defaultValueDescription, envVar }: Option): string => {
  const usual = defaultValueDescription ?? defaultValue;
  const text = description.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const notes = [usual !== undefined && `default: ${usual}`, envVar && `env: ${envVar}`].filter(Boolean);
  return notes.length === 0 ? text : `${text} (${notes.join(', ')})`;
};

/** Adds the examples to the help of each command. Call this when all commands were added. */
export const addExamples = (program: Command): void => {
  for (const command of program.commands)
    command.addHelpText('after', `\nExamples:\n${toLines(examples[command.name()] ?? [])}`);
};

const toLines = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

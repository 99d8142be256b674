import type { Command, Option } from 'commander';

/** The environment variable of an option: `GATEWAY_MOCK_MAX_SESSIONS` for `--max-sessions`. */
const variableOf = (option: Option): string =>
  `GATEWAY_MOCK_${option.name().replaceAll('-', '_').toUpperCase()}`;

/** Whether a variable sets its option. Commander itself ignores the value. */
const isSet = (option: Option, value: string): boolean =>
  option.isBoolean()
    ? !/^(?:|0|false|no|off)$/i.test(value)
    : // In Kubernetes, a service of the name gateway-mock puts its address into GATEWAY_MOCK_PORT of other pods.
      !(option.name() === 'port' && value.startsWith('tcp://'));

/** `--json` is short for another option, which has a variable. */
const hasVariable = (option: Option): boolean => option.name() !== 'json';

/** Lets the environment set the options that are added to a command from now on, if the command line leaves them out. */
export const withVariables = (command: Command): Command => {
  const addOption = command.addOption.bind(command);
  command.addOption = (option) => {
    const variable = variableOf(option);
    const value = process.env[variable];
    const isUsed = hasVariable(option) && (value === undefined || isSet(option, value));
    return addOption(isUsed ? option.env(variable) : option); // Commander reads the variable only if it is known by now
  };
  return command;
};

import type { Command, Option } from 'commander';

/**
 * Lets the environment set the options that are added to a command from now on, if the command line leaves them out:
 * `GATEWAY_MOCK_MAX_SESSIONS` sets `--max-sessions`. `--json` is short for another option, which has a variable.
 */
export const withVariables = (command: Command): Command => {
  const addOption = command.addOption.bind(command);
  command.addOption = (option) => {
    const variable = `GATEWAY_MOCK_${option.name().replaceAll('-', '_').toUpperCase()}`;
    const value = process.env[variable];
    const isUsed = option.name() !== 'json' && (value === undefined || isSet(option, value));
    return addOption(isUsed ? option.env(variable) : option); // Commander reads the variable only if it is known by now
  };
  return command;
};

/** Whether a variable sets its option. Commander itself ignores the value. */
const isSet = (option: Option, value: string): boolean => {
  if (option.isBoolean()) return !/^(?:|0|false|no|off)$/i.test(value);
  // In Kubernetes, a service of the name gateway-mock puts its address into GATEWAY_MOCK_PORT of other pods.
  return !(option.name() === 'port' && value.startsWith('tcp://'));
};

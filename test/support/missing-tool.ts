import { spawnSync } from 'node:child_process';

/**
 * Says which tests are left out because this machine lacks a tool. In CI, where nobody reads what a green run prints,
 * the run fails instead.
 */
export const reportMissing = (
  tool: string,
  leftOut: string,
  remedy: string,
  isRequired = process.env.CI === 'true',
): void => {
  const message = `There is no ${tool} here, which ${leftOut} need. ${remedy}`;
  if (isRequired) throw new Error(`${message} With CI=true nothing is left out.`);
  console.warn(`Left out: ${leftOut}. ${message}`);
};

/** Whether a command can be started here. Where it cannot, that is reported. */
export const hasCommand = (
  command: string,
  leftOut: string,
  remedy = `Install it (apt-get install ${command}).`,
  isRequired?: boolean,
): boolean => {
  const has = spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!has) reportMissing(command, leftOut, remedy, isRequired);
  return has;
};

/** Whether there is a POSIX shell: on Windows, that of Git is one. */
export const hasShell = (leftOut: string): boolean =>
  hasCommand('sh', leftOut, 'Have a POSIX shell in the PATH, on Windows that of Git.');

/** The same for a module of Python. */
export const hasModule = (name: string, leftOut: string, remedy: string): boolean => {
  const has = spawnSync('python3', ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0;
  if (!has) reportMissing(name, leftOut, `Install it (${remedy}).`);
  return has;
};

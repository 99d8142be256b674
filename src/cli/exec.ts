import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findKeys } from '../control/find-keys.ts';
import type { PlainServer } from '../server/start-server.ts';

/** A command that could not be started, with the exit code that shells have for it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 126 | 127;

  constructor(message: string, exitCode: 126 | 127) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * What a command is told of the server, in its environment: base URL, keys that a call may carry, and the admin API.
 *
 * @example
 * await runCommand(['pytest', '-x'], { ...process.env, ...(await toEnvironment(server, undefined)) });
 */
export const toEnvironment = async (
  server: PlainServer,
  adminToken: string | undefined,
): Promise<Record<string, string>> => {
  const { api, virtual } = await findKeys(server);
  return {
    GATEWAY_BASE_URL: server.baseUrl,
    GATEWAY_API_KEY: api,
    GATEWAY_VIRTUAL_KEY: virtual,
    GATEWAY_ADMIN_URL: server.adminUrl,
    ...(adminToken !== undefined && { GATEWAY_ADMIN_TOKEN: adminToken }),
  };
};

/**
 * Runs a command on this process's own input and output, hands on the signals that ask this process to stop, and
 * resolves with the command's exit code: 128 + the signal's number where a signal ended it.
 *
 * It ends with the command itself, whatever processes that leaves behind.
 *
 * @throws CommandError where there is no such command, or it cannot be run
 * @example
 * process.exitCode = await runCommand(['python3', '-m', 'pytest'], process.env);
 */
export const runCommand = async (
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> => {
  const start = await findSpawn();
  return new Promise<number>((resolve, reject) => {
    // Some mistakes are thrown here, such as a path through a file; others come as an event.
    const child = start(command, args, { stdio: 'inherit', env });
    const stopHandingOn = handSignalsOn(child);
    child.once('error', (error) => {
      stopHandingOn();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      stopHandingOn();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  }).catch((error: NodeJS.ErrnoException) => {
    throw explainSpawn(command, error);
  });
};

/** On Windows, `npx` and the like are batch files, which Node itself starts by a shell alone, without escaping anything. */
const findSpawn = async (): Promise<
  (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess
> => (process.platform === 'win32' ? (await import('cross-spawn')).default : spawn);

const handSignalsOn = (child: ChildProcess): (() => void) => {
  const handOn = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to all that runs in it. Twice would be a wish to stop at once, to many programs.
    if (signal === 'SIGINT' && isInTerminal()) return;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handOn);
  return () => {
    for (const signal of signals) process.off(signal, handOn);
  };
};

const isInTerminal = (): boolean =>
  [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

const explainSpawn = (command: string, { code, message }: NodeJS.ErrnoException): CommandError => {
  if (code === 'ENOENT' || command === '')
    return new CommandError(
      `there is no command "${command}". Check its name or path, and what its first line names where it is a script.`,
      127,
    );
  const reason = code === 'EACCES' ? 'it may not be executed. Try chmod +x, or its interpreter' : message;
  return new CommandError(`the command "${command}" cannot be run: ${reason}.`, 126);
};

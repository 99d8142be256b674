import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { GatewayServer } from '../../service/server/open-server.ts';
import { UsageError } from './usage-error.ts';

/**
 * The environment variables that describe the server to a command: its base URL, accepted keys, and the admin API.
 *
 * @example
 * await runProcess(['pytest', '-x'], { ...process.env, ...(await toEnvironment(server, undefined)) });
 */
export const toEnvironment = async (server: GatewayServer, adminToken: string | undefined) => {
  const { apiKey, virtualKey } = await server.scenario.keys();
  return {
    GATEWAY_BASE_URL: server.baseUrl,
    GATEWAY_API_KEY: apiKey,
    GATEWAY_VIRTUAL_KEY: virtualKey,
    GATEWAY_ADMIN_URL: server.adminUrl,
    ...(adminToken !== undefined && { GATEWAY_ADMIN_TOKEN: adminToken }),
  };
};

/**
 * The environment of a command, in which calls to the server bypass any proxy.
 *
 * @param variables those of `toEnvironment`
 */
export const withoutProxy = (environment: NodeJS.ProcessEnv, variables: Record<string, string>) => {
  const all = { ...environment, ...variables };
  const isProxy = (name: string): boolean => /^(?:https?|all)_proxy$/i.test(name);
  const exempt = [...new Set([environment.NO_PROXY, environment.no_proxy])].filter(Boolean);
  if (exempt.includes('*') || !Object.keys(all).some((name) => isProxy(name) && all[name])) return all;
  const host = new URL(variables.GATEWAY_BASE_URL ?? '').hostname.replace(/^\[|\]$/g, '');
  const hosts = [...exempt, host].join(',');
  return { ...all, NO_PROXY: hosts, no_proxy: hosts };
};

/**
 * Runs a command on this process's input and output, and forwards the signals that stop this process. The second signal also ends
 * this process. Resolves with the command's exit code; if a signal ended it, that is 128 + the signal's number. Processes that the
 * command leaves behind are not waited for.
 *
 * @throws UsageError if the command does not exist or cannot be run, with the exit code that shells use for it
 * @example
 * process.exitCode = await runProcess(['python3', '-m', 'pytest'], process.env);
 */
export const runProcess = async ([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) => {
  // On Windows, `npx` and the like are batch files, which Node starts only in a shell, without escaping arguments.
  const { default: start } = await import('cross-spawn');
  try {
    // Some errors are thrown here, such as a path through a file; others are events.
    const child = start(command, args, { stdio: 'inherit', env });
    const exit = once(child, 'exit').finally(forwardSignals(child)); // it rejects on the event `error`
    const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null]; // as Node documents
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (error) {
    throw explainSpawn(command, error as NodeJS.ErrnoException); // as Node documents
  }
};

const forwardSignals = (child: ChildProcess): (() => void) => {
  let isStopping = false;
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to all its processes. Many programs stop at once if they get it twice.
    const isInTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
    if (signal === 'SIGINT' && isInTerminal) return;
    child.kill(signal);
    // The command may ignore the first signal. After it, Node handles signals again: the second signal ends this process.
    if (isStopping) {
      stop();
      process.kill(process.pid, signal);
    }
    isStopping = true;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (): void => {
    for (const signal of signals) process.off(signal, forward);
  };
  for (const signal of signals) process.on(signal, forward);
  return stop;
};

const explainSpawn = (command: string, { code, message }: NodeJS.ErrnoException): UsageError => {
  if (code === 'ENOENT' || command === '')
    return new UsageError(
      `command not found: "${command}". Check its name or path; for a script, also the interpreter in its first line.`,
      127,
    );
  const reason =
    code === 'EACCES' ? 'permission denied. Try chmod +x, or run it with its interpreter' : message;
  return new UsageError(`failed to run the command "${command}": ${reason}.`, 126);
};

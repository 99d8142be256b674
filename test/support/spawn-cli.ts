import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { buildFolder } from './write-built.ts';

/** How a process ended, with all that it wrote. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command line. */
interface Cli {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ending>;
}

/** A process that serves. */
interface ServingCli extends Cli {
  readonly baseUrl: string;
  /** The lines of standard output so far: those that are whole. */
  readonly lines: () => string[];
  /** Sends a signal, by default SIGTERM, and waits for the end, which it times in milliseconds. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ending & { readonly duration: number }>;
}

const script = join(buildFolder, 'cli.js');

/** Takes what ends a process, to call it when the process is no longer needed. */
type OnceDone = (end: () => Promise<void>) => void;

/** Starts the built command line. The process does not outlive the test under way. */
export const spawnCli = (...args: string[]): Cli => spawnCliUntil(onTestFinished, args);

const spawnCliUntil = (onceDone: OnceDone, args: readonly string[]): Cli => {
  // What the test runner says of its own colours is no wish of the user's.
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...inherited } = process.env;
  const env = { ...inherited, TERM: 'xterm-256color' };
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  const ended = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    ...written,
  }));
  onceDone(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, ended };
};

/** Starts the built command line, by default on a free port, and waits until it serves. */
export const serveCli = (...args: string[]): Promise<ServingCli> => serveCliUntil(onTestFinished, ...args);

/** The same for all tests of a file, to be started by a hook: `onceDone` is given what ends it. */
const serveCliUntil = async (onceDone: OnceDone, ...args: string[]): Promise<ServingCli> => {
  const cli = spawnCliUntil(onceDone, ['--port', '0', ...args]);
  const { child, stdout, ended } = cli;
  const baseUrl = await vi.waitUntil(
    () => {
      if (child.exitCode !== null || child.signalCode !== null) return 'none';
      return /^.*?(https?:\/\/[^"\s]+\/v1\b).*\n/.exec(stdout())?.[1];
    },
    { timeout: 200_000, interval: 10 },
  );
  if (baseUrl === 'none') throw new Error(`It does not serve: ${(await ended).stderr}`);
  return {
    ...cli,
    baseUrl,
    lines: () => stdout().split('\n').slice(0, -1),
    stop: async (signal = 'SIGTERM') => {
      const start = performance.now();
      child.kill(signal);
      const ending = await ended;
      return { ...ending, duration: performance.now() - start };
    },
  };
};

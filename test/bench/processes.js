// Everything that the benchmark starts is started here, on a core of its own, and ended here.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} file
 * @param {string[]} args
 */
const canRun = (file, args) => spawnSync(file, args, { stdio: 'ignore' }).status === 0;

/** Whether there are two cores to pin to: without them, what serves and what asks fight over the same one. */
export const isPinned = ['0', '1'].every((core) => canRun('taskset', ['-c', core, 'true']));

/** The core of what is measured, and that of the load, which is to take nothing from it. */
export const cores = { server: '0', load: '1' };

/**
 * @typedef {object} Process
 * @property {number} pid not a number if it did not start
 * @property {() => Promise<string>} firstLine the first line that it prints
 * @property {() => Promise<string>} end all that it printed, once it has ended well
 * @property {(signal?: NodeJS.Signals) => void} kill
 * @property {() => Promise<string>} leave closes its input, and waits until it has ended by itself
 */

/** @type {Set<Process>} */
const running = new Set();

/** How long anything may take to say what it is asked for, in milliseconds. */
const patience = 60_000;

/**
 * @param {string} core
 * @param {string[]} command
 * @returns {Process}
 */
export const start = (core, command) => {
  const name = command.join(' ');
  const [file = '', ...args] = isPinned ? ['taskset', '-c', core, ...command] : command;
  // Children of ours end as soon as this pipe closes: not even SIGKILL of this process leaves one behind.
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  /** @type {Promise<string>} */
  const end = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`Failed to run ${name}: it ended with ${code}.\n${stderr}`));
    });
  });
  /** @type {Promise<string>} */
  const firstLine = new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const length = stdout.indexOf('\n');
      if (length !== -1) resolve(stdout.slice(0, length));
    });
    end.then(() => reject(new Error(`Failed to start ${name}: it ended without a word.`)), reject);
  });
  for (const promise of [end, firstLine]) promise.catch(() => {}); // not everybody waits for both

  const self = {
    pid: child.pid ?? Number.NaN,
    firstLine: () => inTime(firstLine, name),
    end: () => inTime(end, name),
    /** @param {NodeJS.Signals} [signal] */
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    leave: () => {
      child.stdin.end();
      return inTime(end, name);
    },
  };
  running.add(self);
  child.once('close', () => running.delete(self));
  return self;
};

/**
 * Starts a script of `children/`.
 *
 * @param {string} core
 * @param {string} script
 * @param {string[]} args
 * @param {string[]} [nodeArgs]
 */
export const startChild = (core, script, args, nodeArgs = []) => {
  const path = fileURLToPath(new URL(`children/${script}`, import.meta.url));
  return start(core, [process.execPath, ...nodeArgs, path, ...args]);
};

/**
 * The time of a processor that a process has had so far, in seconds; not a number where the system does not tell.
 *
 * @param {number} pid
 */
export const readCpuTime = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100; // as user and as system, in ticks of 10 ms
  } catch {
    return Number.NaN;
  }
};

/** Ends all that was started and still runs. */
export const stopAll = () => {
  for (const one of running) one.kill();
};

/**
 * @param {Promise<string>} promise
 * @param {string} name
 * @returns {Promise<string>}
 */
const inTime = (promise, name) =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`Failed to wait for ${name}: nothing in ${patience / 1000} s.`));
    const timer = setTimeout(fail, patience);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Starts a server, or HAProxy, and waits until it answers. @param {string} core @param {string[]} command @param {string} port */
export const listen = async (core, command, port) => {
  const { pid, kill } = start(core, command);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/healthz`)
      .then(({ status }) => status === 200)
      .catch(() => false);
  while (!(await isUp())) await sleep(50);
  return { url, pid, kill };
};

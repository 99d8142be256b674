// `gateway-mock capture`: its options, and what it writes. The work is loaded by those who ask for it.
import { lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { isLoopback } from '../admin/guard.ts';
import type { Wanted } from '../capture/account.ts';
import type { CaptureResult } from '../capture/capture.ts';
import { isScenarioFile } from '../scenario/path.ts';
import { collect, toFilled, toInteger } from './server-options.ts';
import {
  addKeyOptions,
  findTargetKeys,
  TargetError,
  type TargetFlags,
  toBaseUrl,
  toId,
  toRate,
  toVariables,
} from './target-options.ts';

/** The options of `capture`, as Commander hands them over. */
export interface CaptureFlags extends TargetFlags {
  readonly output: string;
  readonly thread?: string[];
  readonly job?: string[];
  readonly policy?: string[];
  readonly prompt?: string[];
  readonly variables?: object;
  readonly maxRecords: number;
  readonly rate?: number;
  readonly raw?: true;
  readonly force?: true;
}

/** Gives a command the options of `capture`. */
export const addCaptureOptions = (command: Command): Command => {
  const repeatable = (name: string) => (value: string, previous?: string[]) =>
    collect(toId(name)(value), previous);
  const named = command
    .requiredOption('--against <url>', 'the base URL of the gateway, which ends in /v1')
    .requiredOption(
      '-o, --output <file>',
      'the scenario to write: a .yaml or .json file',
      toFilled('the file'),
    );
  return addKeyOptions(named, '; without it no list is read')
    .option('--thread <id>', 'a thread whose runs to read (repeatable)', repeatable('the thread'))
    .option('--job <id>', 'a fine-tuning job whose checkpoints to read (repeatable)', repeatable('the job'))
    .option('--policy <id>', 'a rate-limits policy to read (repeatable)', repeatable('the policy'))
    .option('--prompt <id>', 'a prompt to render (repeatable)', repeatable('the prompt'))
    .option('--variables <json>', 'what the prompts are rendered with', toVariables)
    .option(
      '--max-records <number>',
      'the most records of each list',
      toInteger('max-records', 100_000),
      1000,
    )
    .option('--rate <number>', 'calls a second; default: 10, on this machine as many as it can', toRate)
    .option('--raw', 'keep ids and texts as they are')
    .option('--force', 'write over a file that is there');
};

/**
 * Captures a gateway into a scenario file, and says in lines what was captured.
 *
 * @throws TargetError, with no key in its message, where the use has a mistake or the gateway does not answer as asked
 */
export const runCapture = async (flags: CaptureFlags, env: NodeJS.ProcessEnv): Promise<string[]> => {
  checkFile(flags);
  const baseUrl = toBaseUrl(flags.against);
  const keys = await findTargetKeys(flags, env);
  if (keys.virtualKey === undefined && (flags.thread || flags.job))
    throw new TargetError(
      'runs and checkpoints are listed with a virtual key, and there is none. Set GATEWAY_VIRTUAL_KEY in the environment, or in a file given by --keys.',
    );
  const rate = flags.rate ?? (isLoopback(new URL(baseUrl).hostname) ? undefined : 10);
  const [{ capture }, { createHideKeys }, { writeScenario }, { toOneLine }] = await Promise.all([
    import('../capture/capture.ts'),
    import('../util/mask.ts'),
    import('../scenario/folder.ts'),
    import('../conformance/texts.ts'),
  ]);
  try {
    const result = await capture(
      { baseUrl, ...keys, rate },
      toWanted(flags, keys.virtualKey),
      flags.raw ?? false,
    );
    checkFile(flags); // it may have come while the gateway was read
    await writeScenario(flags.output, result.scenario);
    return describe(flags, keys.virtualKey, result).map(toOneLine);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new TargetError(toOneLine(createHideKeys([keys.apiKey, keys.virtualKey])(error.message)));
  }
};

const toWanted = (flags: CaptureFlags, virtualKey: string | undefined): Wanted => ({
  threads: flags.thread ?? [],
  jobs: flags.job ?? [],
  policies: flags.policy ?? [],
  prompts: flags.prompt ?? [],
  batches: virtualKey !== undefined,
  variables: flags.variables ?? {},
  maxRecords: flags.maxRecords,
});

/** Told before anything is asked of the gateway. */
const checkFile = ({ output, force }: CaptureFlags): void => {
  if (!isScenarioFile(output))
    throw new TargetError(`"${output}" is no scenario file: its name ends in .yaml, .yml or .json.`);
  const folder = dirname(resolve(output));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new TargetError(`there is no folder "${folder}". Please make it, or choose another: -o FILE.`);
  const there = lstatSync(output, { throwIfNoEntry: false }); // a link that leads nowhere is there, too
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory())
    throw new TargetError(`"${output}" is a folder. Please choose a file: -o FILE.`);
  if (there !== undefined && !force)
    throw new TargetError(`"${output}" is there already. Please choose another file, or give --force.`);
};

const describe = (
  { output, raw }: CaptureFlags,
  virtualKey: string | undefined,
  { scenario, size, replaced, notes }: CaptureResult,
): string[] => [
  `${scenario.description} ${size} records and prompts are in ${output}.`,
  raw
    ? 'Ids and texts are as they were: --raw. Please look through the file before you hand it on.'
    : `${replaced} ids and texts were replaced; numbers, times, states and models are as they were.`,
  ...(virtualKey === undefined ? ['Batches were not read: that takes a virtual key.'] : []),
  ...notes,
];

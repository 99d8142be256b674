// `gateway-mock capture`: its options and messages. The rest is loaded only when the command runs.
import { lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { isScenarioFile } from '../../core/scenario/path.ts';
import { createHideKeys } from '../../core/util/mask.ts';
import { makeFolder } from '../../service/server/state/files.ts';
import type { AccountSelection } from '../capture/account.ts';
import type { CaptureResult } from '../capture/capture.ts';
import { toOneLine } from '../conformance/texts.ts';
import { collectEach, toFilled, toInteger } from './server-flags.ts';
import { addTargetOptions, findTarget, type TargetFlags, toId, toVariables } from './target-options.ts';
import { createProgressLine, untilInterrupted } from './target-progress.ts';
import { fail } from './usage-error.ts';

/** The options of `capture`, as Commander parses them. */
export interface CaptureFlags extends TargetFlags, AccountSelection {
  readonly output: string;
  readonly raw?: true;
  readonly force?: true;
}

/** Adds the options of `capture` to a command. */
export const addCaptureOptions = (command: Command): Command => {
  const repeatable = (name: string) => collectEach(toId(name));
  const [file, count] = [toFilled('the file'), toInteger('max-records', 100_000)];
  return addTargetOptions(command, 30_000, '; lists are read only with one')
    .requiredOption('-o, --output <file>', 'the scenario to write: a .yaml or .json file', file)
    .option('--thread <id>', 'a thread whose runs to read (repeatable)', repeatable('the thread'))
    .option('--job <id>', 'a fine-tuning job whose checkpoints to read (repeatable)', repeatable('the job'))
    .option('--policy <id>', 'a rate-limits policy to read (repeatable)', repeatable('the policy'))
    .option('--prompt <id>', 'a prompt to render (repeatable)', repeatable('the prompt'))
    .option('--variables <json>', 'values for the variables of the prompts', toVariables)
    .option('--max-records <number>', 'maximum number of records from each list', count, 1000)
    .option('--raw', 'keep ids and texts unchanged')
    .option('--force', 'overwrite an existing file');
};

/**
 * Writes a scenario file from a gateway. Returns lines that describe the result.
 *
 * @throws UsageError, without a key in its message, also on unexpected replies of the gateway
 */
export const runCapture = async (flags: CaptureFlags, env: NodeJS.ProcessEnv): Promise<string[]> => {
  checkFile(flags);
  const { keys, ...calling } = await findTarget(flags, env);
  if (keys.virtualKey === undefined && (flags.thread || flags.job))
    fail(
      'the virtual key is missing; reading runs and checkpoints needs it. Set GATEWAY_VIRTUAL_KEY in the environment, or in a file for --keys.',
    );
  const { capture } = await import('../capture/capture.ts');
  const { writeScenario } = await import('../../core/scenario/folder.ts');
  if (keys.virtualKey === undefined && !(flags.policy || flags.prompt))
    fail(
      'nothing was captured: without a virtual key no list is read, and no policy or prompt was named. Give --policy or --prompt, or set GATEWAY_VIRTUAL_KEY.',
      1,
    );
  try {
    const line = createProgressLine();
    const result = await untilInterrupted((signal) => {
      const onCall = (calls: number): void => line.show(`${calls} calls`);
      const address = { ...calling, ...keys, onWait: line.showWait, onCall, signal };
      return capture(address, flags, flags.raw ?? false);
    }).finally(line.end);
    checkFile(flags); // it may have been created while the gateway was read
    makeFolder(dirname(resolve(flags.output)));
    await writeScenario(flags.output, result.scenario);
    return describe(flags, keys.virtualKey, result).map(toOneLine);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail(toOneLine(createHideKeys([keys.apiKey, keys.virtualKey])(error.message)));
  }
};

/** Checks the output file before any call. */
const checkFile = ({ output, force }: CaptureFlags): void => {
  const isThere = lstatSync(output, { throwIfNoEntry: false }) !== undefined; // also true for a broken link
  const refuse = (why: string): never => fail(`"${output}" ${why}`);
  if (!isScenarioFile(output))
    refuse('is not a scenario file. Give a name that ends in .yaml, .yml or .json.');
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory())
    refuse('is a folder. Give a file: -o FILE.');
  if (isThere && !force) refuse('exists already. Choose another file, or add --force.');
};

const describe = (
  { output, raw }: CaptureFlags,
  virtualKey: string | undefined,
  { scenario, size, replaced, masked, notes }: CaptureResult,
): string[] => [
  `${scenario.description} Wrote ${size} records and prompts to ${output}.`,
  raw
    ? `Ids and texts are unchanged (--raw)${masked.length > 0 ? ', except for masked credentials' : ''}. Please read the file before you share it.`
    : `${replaced} ids and texts were replaced; numbers, times, states and models are unchanged.`,
  ...(masked.length > 0
    ? [`Values masked as credentials: ${masked.length} (${[...new Set(masked)].join(', ')}).`]
    : []),
  ...(virtualKey === undefined ? ['Batches were not read: that needs a virtual key.'] : []),
  ...notes,
];

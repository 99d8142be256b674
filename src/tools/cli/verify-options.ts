// The options of `verify`, apart from the command itself, so that other commands do not load the checks.
import type { Command } from 'commander';
import type { CheckSamples } from '../conformance/types.ts';
import { toFilled, toInteger } from './server-flags.ts';
import { addTargetOptions, type TargetFlags, toId, toVariables } from './target-options.ts';

/** The options of `verify`, as Commander parses them. */
export interface VerifyFlags extends TargetFlags, CheckSamples {
  readonly maxCalls: number;
  readonly maxTime: number;
  readonly strict?: true;
  readonly requireAll?: true;
  readonly json?: true;
  readonly junit?: string;
}

/** Adds the options of `verify` to a command. */
export const addVerifyOptions = (command: Command): Command => {
  const [calls, time] = [toInteger('max-calls', 100_000), toInteger('max-time', 3_600_000)];
  const variables = 'values for the variables of --prompt; its messages must show each text';
  const probe = 'a stored prompt with the text of docs/verify.md, to compare sections and partials';
  return addTargetOptions(command, 10_000)
    .option('--thread <id>', 'a thread, ideally with more than 20 runs', toId('the thread'))
    .option('--other-thread <id>', 'another thread with runs, to use one as a cursor', toId('the thread'))
    .option('--job <id>', 'a fine-tuning job, ideally with more than 10 checkpoints', toId('the job'))
    .option('--policy <id>', 'an active rate-limits policy', toId('the policy'))
    .option('--archived-policy <id>', 'an archived rate-limits policy', toId('the policy'))
    .option('--prompt <id>', 'a stored prompt', toId('the prompt'))
    .option('--variables <json>', variables, toVariables)
    .option('--probe-prompt <id>', probe, toId('the prompt'))
    .option('--max-calls <number>', 'maximum number of calls; exit code 2 if checks remain', calls, 1000)
    .option('--max-time <ms>', 'maximum duration of the run; exit code 2 if checks remain', time, 120_000)
    .option('--strict', 'also fail on differences from the assumptions of the mock')
    .option('--require-all', 'exit code 2 if a check of the contract was not done')
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', 'also write the report as JUnit XML', toFilled('the file'));
};

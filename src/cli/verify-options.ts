// The options of `verify`, apart from its work: only who runs it pays for loading the laws.
import type { Command } from 'commander';
import { toFilled, toInteger } from './server-options.ts';
import { addKeyOptions, type TargetFlags, toId, toPolicyId, toRate, toVariables } from './target-options.ts';

/** The options of `verify`, as Commander hands them over. */
export interface VerifyFlags extends TargetFlags {
  readonly thread?: string;
  readonly job?: string;
  readonly policy?: string;
  readonly archivedPolicy?: string;
  readonly prompt?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly rate?: number;
  readonly timeout: number;
  readonly maxCalls: number;
  readonly maxTime: number;
  readonly json?: true;
  readonly junit?: string;
  readonly baseline?: string;
  readonly updateBaseline?: true;
}

/** Gives a command the options of `verify`. */
export const addVerifyOptions = (command: Command): Command =>
  addKeyOptions(command.requiredOption('--against <url>', 'the base URL of the gateway, which ends in /v1'))
    .option('--thread <id>', 'a thread, best with more than 20 runs', toId('the thread'))
    .option('--job <id>', 'a fine-tuning job, best with more than 10 checkpoints', toId('the job'))
    .option('--policy <id>', 'an active rate-limits policy', toPolicyId)
    .option('--archived-policy <id>', 'an archived one', toPolicyId)
    .option('--prompt <id>', 'a stored prompt', toId('the prompt'))
    .option('--variables <json>', 'values for its variables; each text is to show', toVariables)
    .option('--rate <number>', 'calls a second; default: 10, on this machine as many as it can', toRate)
    .option('--timeout <ms>', 'how long a call may take', toInteger('the timeout', 600_000), 10_000)
    .option(
      '--max-calls <number>',
      'how many calls are made at most; exit code 2 if laws are left then',
      toInteger('max-calls', 100_000),
      1000,
    )
    .option(
      '--max-time <ms>',
      'for how long calls are made at most; the same',
      toInteger('max-time', 3_600_000),
      120_000,
    )
    .option('--json', 'print JSON')
    .option('--junit <file>', 'write JUnit XML, too', toFilled('the file'))
    .option('--baseline <file>', 'fail only by findings that this file does not have', toFilled('the file'))
    .option('--update-baseline', 'write what was found into that file: it is known from then on');

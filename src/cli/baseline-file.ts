// The baseline file: `verify --baseline` reads it, `--update-baseline` writes it.
import { readFile } from 'node:fs/promises';
import {
  type Comparison,
  compareKnown,
  type KnownFinding,
  markKnown,
  parseBaseline,
  toBaseline,
  updateKnown,
} from '../conformance/run/baseline.ts';
import type { CheckReport } from '../conformance/run/run-checks.ts';
import { messageOf } from '../util/message-of.ts';
import { TargetError } from './target-options.ts';
import type { VerifyFlags } from './verify-options.ts';

type BaselineFlags = Pick<VerifyFlags, 'baseline' | 'updateBaseline'>;

/** The known findings; undefined without a baseline. @throws TargetError if the file cannot be read */
export const readBaseline = async ({
  baseline: file,
  updateBaseline,
}: BaselineFlags): Promise<readonly KnownFinding[] | undefined> => {
  if (file === undefined && updateBaseline)
    throw new TargetError('--update-baseline needs --baseline FILE: the file to write.');
  if (file === undefined) return undefined;
  try {
    return parseBaseline(await readFile(file, 'utf8'));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && updateBaseline) return [];
    const hint = isMissing ? ' Create it with --update-baseline.' : '';
    throw new TargetError(`failed to read the baseline "${file}": ${messageOf(error)}.${hint}`);
  }
};

/** A report, and its comparison with the baseline if there is one. */
interface Compared {
  readonly report: CheckReport;
  readonly comparison?: Comparison;
  /** Why the file was not written. */
  readonly mistake?: string;
}

/**
 * Marks the known findings, or all of them if the file is updated.
 *
 * @param lack why the run is incomplete, such as a missing thread: its baseline would lack findings
 */
export const compareWithBaseline = async (
  found: CheckReport,
  known: readonly KnownFinding[] | undefined,
  { baseline: file, updateBaseline }: BaselineFlags,
  lack: string | undefined,
): Promise<Compared> => {
  if (known === undefined || file === undefined) return { report: found };
  const comparison = { file, ...compareKnown(found, known), isUpdated: false };
  if (!updateBaseline) return { report: markKnown(found, known), comparison };
  const next = updateKnown(found, known);
  const unanswered = found.unanswered > 0 ? `${found.unanswered} calls got no reply.` : undefined;
  const mistake = unanswered ?? lack ?? (await write(file, toBaseline(next)));
  return mistake === undefined
    ? { report: markKnown(found, next), comparison: { ...comparison, isUpdated: true } }
    : {
        report: markKnown(found, known),
        comparison,
        mistake: `the baseline "${file}" was not written: ${mistake}`,
      };
};

/** Writes a file, and returns why it failed, if so. */
const write = async (file: string, text: string): Promise<string | undefined> => {
  const { replaceFile } = await import('../scenario/folder.ts');
  return replaceFile(file, text).then(
    () => undefined,
    (error: unknown) => `${messageOf(error)}.`,
  );
};

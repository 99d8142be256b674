// The file that `verify --baseline` reads and `--update-baseline` writes.
import { readFile } from 'node:fs/promises';
import {
  type Comparison,
  compareKnown,
  type KnownFinding,
  markKnown,
  parseBaseline,
  toBaseline,
  updateKnown,
} from '../conformance/baseline.ts';
import type { LawReport } from '../conformance/run-checks.ts';
import { messageOf } from '../util/message-of.ts';
import { TargetError } from './target-options.ts';
import type { VerifyFlags } from './verify-options.ts';

type BaselineFlags = Pick<VerifyFlags, 'baseline' | 'updateBaseline'>;

/** The known findings; undefined without a baseline. @throws TargetError where the file cannot be read */
export const readBaseline = async ({
  baseline: file,
  updateBaseline,
}: BaselineFlags): Promise<readonly KnownFinding[] | undefined> => {
  if (file === undefined && updateBaseline)
    throw new TargetError('--update-baseline takes --baseline FILE: the file to write.');
  if (file === undefined) return undefined;
  try {
    return parseBaseline(await readFile(file, 'utf8'));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && updateBaseline) return [];
    const wayOut = isMissing ? ' Write it with --update-baseline.' : '';
    throw new TargetError(`the baseline "${file}" cannot be read: ${messageOf(error)}.${wayOut}`);
  }
};

/** A report beside the baseline, if there is one. */
interface Compared {
  readonly report: LawReport;
  readonly comparison?: Comparison;
  /** Why the file could not be written. */
  readonly mistake?: string;
}

/**
 * Marks what is known, and writes the file anew where that is wanted: then all that was found is known.
 *
 * @param lack what was not looked at, such as a missing thread: a baseline of such a run would lack its findings
 */
export const compareWithBaseline = async (
  found: LawReport,
  known: readonly KnownFinding[] | undefined,
  { baseline: file, updateBaseline }: BaselineFlags,
  lack: string | undefined,
): Promise<Compared> => {
  if (known === undefined || file === undefined) return { report: found };
  const comparison = { file, ...compareKnown(found, known), isUpdated: false };
  if (!updateBaseline) return { report: markKnown(found, known), comparison };
  const next = updateKnown(found, known);
  const unanswered = found.unanswered > 0 ? `${found.unanswered} calls were not answered.` : undefined;
  const mistake = unanswered ?? lack ?? (await write(file, toBaseline(next)));
  return mistake === undefined
    ? { report: markKnown(found, next), comparison: { ...comparison, isUpdated: true } }
    : {
        report: markKnown(found, known),
        comparison,
        mistake: `the baseline "${file}" is not written: ${mistake}`,
      };
};

/** Why a text could not be written, where it could not. */
const write = async (file: string, text: string): Promise<string | undefined> => {
  const { replaceFile } = await import('../scenario/folder.ts');
  return replaceFile(file, text).then(
    () => undefined,
    (error: unknown) => `${messageOf(error)}.`,
  );
};

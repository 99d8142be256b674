// Inspects every reply of a run, whichever check made the call. A single bad reply counts.
import { messageOf } from '../../../core/util/message-of.ts';
import { NotCheckable, unchecked } from '../check.ts';
import type { Check, CheckCall, CheckFinding, CheckReply, CheckSamples, UncheckedCause } from '../types.ts';

/** The most findings of a check: each record of a long page may have a finding. */
export const maxFindings = 100;

/** The subject of a finding, the same in every run. */
export const aboutOf = (finding: CheckFinding): string | undefined => {
  if (finding.kind === 'failed') return finding.about;
  return finding.kind === 'differs' ? finding.value : undefined;
};

/** Whether two findings of a check have the same subject, such as the same field of two records. */
export const isAboutSame = (finding: CheckFinding, other: CheckFinding): boolean =>
  finding.kind === other.kind && aboutOf(finding) === aboutOf(other);

export const hasCause = (findings: readonly CheckFinding[], cause: UncheckedCause): boolean =>
  findings.some((finding) => finding.kind === 'unchecked' && finding.cause === cause);

/** The findings to report, each once: first a finding about each subject, then the others, and notes last. */
export const pickFindings = (findings: readonly CheckFinding[]): readonly CheckFinding[] => {
  const each = [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
  const placeOf = (finding: CheckFinding): number => {
    if (finding.kind === 'note') return 2;
    return each.find((candidate) => isAboutSame(candidate, finding)) === finding ? 0 : 1;
  };
  return each.sort((a, b) => placeOf(a) - placeOf(b)).slice(0, maxFindings);
};

/** A reply may be impossible to read, such as arrays nested too deep. */
export const reasonOf = (error: unknown): string =>
  error instanceof NotCheckable ? error.message : `failed to read the reply: ${messageOf(error)}.`;

export const createInspection = (checks: readonly Check[], samples: CheckSamples) => {
  const watched = new Map(
    checks.map((check) => [check, { watch: check.watch?.(), findings: [] as CheckFinding[] }]),
  );
  return {
    /** Passes a reply to all checks that inspect replies. */
    show: (call: CheckCall, reply: CheckReply): void => {
      for (const { watch, findings } of watched.values())
        try {
          for (const finding of watch?.(call, reply, samples) ?? []) {
            const isOther = !findings.some((earlier) => isAboutSame(earlier, finding));
            if (findings.length < maxFindings || isOther) findings.push(finding);
          }
        } catch (error) {
          findings.push(unchecked(reasonOf(error)));
        }
    },
    findingsOf: (check: Check): readonly CheckFinding[] => watched.get(check)?.findings ?? [],
  };
};

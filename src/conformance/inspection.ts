// What is wrong with single replies, whichever check asked for them. It counts though it was seen once.
import { type Finding, type Law, type LawCall, type LawReply, type Samples, unchecked } from './check.ts';

export interface Inspection {
  /** Shows a reply to all checks that inspect replies. */
  readonly show: (call: LawCall, reply: LawReply) => void;
  readonly findingsOf: (law: Law) => readonly Finding[];
}

/** A page of records without end may have something wrong with each of them. */
export const maxFindings = 100;
const maxInspected = 10_000;

/** Whether two findings of one check are about the same thing, such as one field of two records. */
const isAboutSame = (one: Finding, other: Finding): boolean =>
  one.kind === other.kind && aboutOf(one) === aboutOf(other);

/** What a finding is about: the same in every run. */
export const aboutOf = (finding: Finding): string | undefined => {
  if (finding.kind === 'broken') return finding.about;
  return finding.kind === 'differs' ? finding.value : undefined;
};

/** The findings to report of a check: each once, first one of each thing that they are about. */
export const pickFindings = (findings: readonly Finding[]): readonly Finding[] => {
  const each = [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
  const isFirst = (finding: Finding): boolean => each.find((one) => isAboutSame(one, finding)) === finding;
  return [...each.filter(isFirst), ...each.filter((one) => !isFirst(one))].slice(0, maxFindings);
};

/** @param describe what to say where a reply cannot be looked at */
export const createInspection = (
  laws: readonly Law[],
  samples: Samples,
  describe: (error: unknown) => string,
): Inspection => {
  const found = new Map<Law, Finding[]>();
  const inspects = new Map(laws.map((law) => [law, law.watch?.() ?? law.inspect]));
  const inspect = (law: Law, call: LawCall, reply: LawReply): void => {
    const findings = found.get(law) ?? [];
    found.set(law, findings);
    let count = 0;
    try {
      for (const finding of inspects.get(law)?.(call, reply, samples) ?? []) {
        const isOther = !findings.some((one) => isAboutSame(one, finding));
        if (findings.length < maxFindings || isOther) findings.push(finding);
        count += 1;
        if (count === maxInspected) return;
      }
    } catch (error) {
      findings.push(unchecked(describe(error)));
    }
  };
  return {
    show: (call, reply) => {
      if (reply.status === 200) for (const law of laws) inspect(law, call, reply);
    },
    findingsOf: (law) => found.get(law) ?? [],
  };
};

// Scenario settings that make the mock do what a target did.
import type { CheckFinding } from '../check.ts';
import type { CheckReport } from './run-checks.ts';

type Difference = Extract<CheckFinding, { kind: 'differs' }>;

/** What to write into a scenario, such as `assumptions: { unknown-cursor: "400" }`; undefined if no value matches. */
export const toSetting = ({ assumption, value }: Difference): string | undefined => {
  if (value === undefined) return undefined;
  if (assumption === 'api-keys') return 'keys: { valid: [YOUR-KEY] }'; // this assumption follows from the list of keys
  return `assumptions: { ${assumption}: ${JSON.stringify(value)} }`;
};

/** All differences that can be set, as the assumptions of a scenario. */
export const findAssumptions = ({ results }: CheckReport): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results
      .flatMap(({ findings }) => findings)
      .flatMap((finding) =>
        finding.kind === 'differs' && finding.value !== undefined && finding.assumption !== 'api-keys'
          ? [[finding.assumption, finding.value]]
          : [],
      ),
  );

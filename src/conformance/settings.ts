// How a scenario makes the mock do what a target did.
import type { Finding } from './check.ts';
import type { LawReport } from './run-checks.ts';

type Difference = Extract<Finding, { kind: 'differs' }>;

/** What to write into a scenario, such as `assumptions: { unknown-cursor: "400" }`; undefined where nothing fits. */
export const toSetting = ({ assumption, value }: Difference): string | undefined => {
  if (value === undefined) return undefined;
  if (assumption === 'api-keys') return 'keys: { valid: [YOUR-KEY] }'; // it follows from the keys that are listed
  return `assumptions: { ${assumption}: ${JSON.stringify(value)} }`;
};

/** Everything that was found to differ and can be set, as the assumptions of a scenario. */
export const findAssumptions = ({ results }: LawReport): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results
      .flatMap(({ findings }) => findings)
      .flatMap((finding) =>
        finding.kind === 'differs' && finding.value !== undefined && finding.assumption !== 'api-keys'
          ? [[finding.assumption, finding.value]]
          : [],
      ),
  );

// Why a test fails though its own assertions hold, in words; an empty text where there is nothing to report.
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';

const countRequests = (count: number): string => `${count} ${count === 1 ? 'request' : 'requests'}`;

/** Requests to the gateway that no operation serves. */
export const describeStrays = (strays: readonly string[]): string =>
  list(strays, [
    `${countRequests(strays.length)} of this test reached no operation of the gateway:`,
    "If that is meant, allow it: test.override({ gatewayOptions: { unmatched: 'allow' } }); before Vitest 4.1, test.scoped.",
  ]);

/** Requests to other hosts. */
export const describeOutside = (outside: readonly string[]): string =>
  list(outside, [
    `${countRequests(outside.length)} of this test, or of one that ran beside it, went to another host than the gateway's, and ${outside.length === 1 ? 'was' : 'were'} stopped:`,
    "Does your code take its base URL from the test (gateway.baseUrl)? If another service is meant, mock it in an MSW server of your own, beside the gateway's handlers (import { handlers } from 'gateway-mock/vitest'), or let such requests pass: test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } }).",
  ]);

/** Requests to other hosts that MSW does not reach. */
export const describeUnseen = (unseen: readonly string[]): string =>
  list(unseen, [
    `${countRequests(unseen.length)} of this test, or of one that ran beside it, went past MSW to another host, and could not be stopped:`,
    "MSW answers fetch, and http and https of Node as their default imports (import http from 'node:http'): neither names imported from them nor undici itself. Use those, or let such requests pass: test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } }).",
  ]);

/** Faults that did nothing, each with the reason. */
export const describeUnusedFaults = (faults: readonly string[]): string =>
  list(faults, [
    `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} of this test never came into play:`,
    "If that is meant, allow it: test.override({ gatewayOptions: { unusedFaults: 'allow' } }); before Vitest 4.1, test.scoped.",
  ]);

/** Replies that depend on assumptions which the test may not rely on. */
export const describeReliance = (
  uses: ReadonlyMap<string, number>,
  strict: boolean | 'print' | readonly AssumptionId[],
): string => {
  const allowed: readonly string[] = Array.isArray(strict) ? strict : [];
  const relied = [...uses].filter(([id]) => !allowed.includes(id)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (strict === false) return '';
  const lines = relied.map(([id, used]) => {
    const { description } = assumptions[id as AssumptionId]; // the marks of replies are ids of assumptions
    return `${id} (${used} ${used === 1 ? 'answer' : 'answers'}): ${description}`;
  });
  const all = JSON.stringify([...allowed, ...relied.map(([id]) => id)]);
  return list(lines, [
    'Answers of this test rested on what the contract does not say:',
    `If that is meant, allow it: gatewayOptions: { strict: ${all} }.`,
  ]);
};

const list = (lines: readonly string[], [title, wayOut]: readonly [string, string]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`), wayOut].join('\n');

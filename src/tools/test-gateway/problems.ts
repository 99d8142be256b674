// The reasons why a test fails although its assertions passed; empty texts if there are none.
import { type AssumptionId, assumptions } from '../../core/assumptions/table.ts';
import { describeRequest, type RecordedRequest } from '../../core/journal/recorded-request.ts';
import { countOf } from '../../core/util/count-of.ts';

/** How the runner's users set an option, such as `unmatched: 'allow'`, as a sentence. */
export type HowToSet = (option: string) => string;

/** Requests to the gateway that match no operation. */
export const describeStrays = (strays: readonly string[], howToSet: HowToSet): string =>
  list(strays, [
    `${countOf(strays.length, 'request')} of this test matched no operation of the gateway:`,
    `To allow this: ${howToSet("unmatched: 'allow'")}`,
  ]);

/** Questions whose answer nobody awaited. */
export const describeUnawaited = (questions: readonly string[]): string =>
  questions.length === 0
    ? ''
    : `This test did not await ${questions.join(', ')}, so nothing was checked. Write: await gateway.${questions[0]}(…).`;

/** Own calls whose handler failed. */
export const describeFailures = (failures: readonly string[]): string =>
  list(failures, [
    `The handlers of ${countOf(failures.length, 'own call')} of this test failed:`,
    "If the code under test is to get an error, end the call with refuse(500, '…') in its handler.",
  ]);

/** Calls with a credential in their query: the gateway takes none there, and queries end in logs. */
export const describeLeaks = (leaks: readonly string[], howToSet: HowToSet): string =>
  list(leaks, [
    `${countOf(leaks.length, 'request')} of this test had a credential in the query, where the gateway takes none:`,
    `Send it in its header. To allow this: ${howToSet("strict: ['unknown-parameter']")}`,
  ]);

/** Requests to the gateways of earlier tests. */
export const describeLate = (late: readonly string[]): string =>
  list(late, [
    `${countOf(late.length, 'request')} of this test, or late requests of an earlier test, went to the gateway of a test that has ended:`,
    'Does the code under test keep the base URL of an earlier test? Make its client in each test, and await all calls.',
  ]);

/** Requests to other hosts. */
export const describeOutside = (outside: readonly string[]): string =>
  list(outside, [
    `${countOf(outside.length, 'request')} of this test, or of a test that ran at the same time, went to another host than the gateway's and ${outside.length === 1 ? 'was' : 'were'} stopped:`,
    "Does your code use the test's base URL (gateway.baseUrl), which starts with http://? To mock another service, start your own MSW server with the gateway's handlers and yours (import { handlers } from 'gateway-mock/vitest'). To let such requests pass: test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } }).",
  ]);

/** Calls of the gateway that other servers answered, or none: of pages, or of code in this process. */
export const describeElsewhere = (
  elsewhere: readonly string[],
  baseUrl: string,
  wayOut: string,
  howToSet: HowToSet,
): string =>
  list(elsewhere, [
    `${elsewhere.length === 1 ? 'A call' : `${elsewhere.length} calls`} of this test did not go to the test's gateway, whose base URL is ${baseUrl}:`,
    `${wayOut} To allow this: ${howToSet('allowOtherGateways: true')}`,
  ]);

/** Faults that were never used, with the reasons. */
export const describeUnusedFaults = (faults: readonly string[], howToSet: HowToSet): string =>
  list(faults, [
    `${countOf(faults.length, 'fault')} of this test ${faults.length === 1 ? 'was' : 'were'} never used:`,
    `To allow this: ${howToSet("unusedFaults: 'allow'")}`,
  ]);

/** Enforced policies that applied to no call. */
export const describeUnusedQuotas = (policies: readonly string[], howToSet: HowToSet): string =>
  list(policies, [
    'Quotas were enforced in this test, but these policies applied to no call:',
    `To allow this: ${howToSet("unusedQuotas: 'allow'")}`,
  ]);

/** A test that took the gateway, but did not call it. */
export const describeNoCalls = (
  baseUrl: string,
  callsElsewhere: ReadonlyMap<string, number>,
  howToSet: HowToSet,
): string => {
  const others = [...callsElsewhere].map(([url, count]) => `${url} (${countOf(count, 'request')})`);
  return [
    `This test took its gateway (${baseUrl}), but no request arrived there. Does the code under test use this base URL?`,
    ...(others.length === 0
      ? []
      : [`Meanwhile, other gateways of this process got requests: ${others.join(', ')}.`]),
    `If this test shows that nothing is sent, end it with: expect(await gateway.requests.count()).toBe(0). If it needs no calls: ${howToSet("noCalls: 'allow'")}`,
  ].join('\n');
};

/** How many replies depend on an assumption, and the first request that got such a reply. */
export interface Reliance {
  readonly count: number;
  readonly first: RecordedRequest;
}

/** Assumptions that the test depends on and may not. */
export const describeReliance = (
  uses: ReadonlyMap<string, Reliance>,
  strict: boolean | 'print' | readonly AssumptionId[],
  howToSet: HowToSet,
): string => {
  const allowed: readonly string[] = Array.isArray(strict) ? strict : [];
  const relied = [...uses].filter(([id]) => !allowed.includes(id)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (strict === false) return '';
  const lines = relied.map(([id, { count, first }]) => {
    const { description } = assumptions[id as AssumptionId]; // replies are marked with ids of assumptions
    const request = describeRequest({ ...first, status: null, outcome: 'sent' }); // without its reply
    return `${id} (${countOf(count, 'reply', 'replies')}): ${description} First: request ${first.ordinal}, ${request}.`;
  });
  const all = JSON.stringify([...allowed, ...relied.map(([id]) => id)]);
  return list(lines, [
    'Replies of this test depend on assumptions, where the contract is silent:',
    `To allow this: ${howToSet(`strict: ${all}`)}`,
  ]);
};

const list = (lines: readonly string[], [title, wayOut]: readonly [string, string]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`), wayOut].join('\n');

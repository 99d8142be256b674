// The gateway of one test, and what it reports when the test ends.
import type { Control } from '../control/control.ts';
import { findKeys } from '../control/find-keys.ts';
import { describeUnusedEnds, type EndedFault } from '../faults/unused.ts';
import { type Gateway, type GatewayOptions, openGateway } from '../gateway/gateway.ts';
import { gatewayOptionKinds } from '../gateway/open-gateway.ts';
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { suggest } from '../util/nearest.ts';
import { checkOptions, type OptionKinds } from '../util/options.ts';
import { endSentence } from '../util/sentence.ts';
import { Departures } from './departures.ts';
import { endRunningTest, type RunningTest, runningTests, settleRequests } from './interception.ts';
import {
  describeOutside,
  describeReliance,
  describeStrays,
  describeUnseen,
  describeUnusedFaults,
} from './problems.ts';

/** The gateway of one test: the control of its default session, and what calls need. */
export interface TestGateway extends Control, Pick<Gateway, 'session'> {
  /** The base URL for the app under test. Each test has its own, such as `http://test-1.gateway.test/v1`. */
  readonly baseUrl: string;
  /** Request headers with keys that the gateway accepts. */
  readonly headers: Readonly<Record<'x-gateway-api-key' | 'x-gateway-virtual-key', string>>;
}

/** Options of a test's gateway: those of `createGateway`, without the base URL, and what fails a test. */
export interface TestGatewayOptions extends Omit<GatewayOptions, 'baseUrl'> {
  /** Whether a test fails if one of its requests to the gateway matches no operation. This needs the journal. Default: `'fail'`. */
  readonly unmatched?: 'fail' | 'allow' | undefined;
  /**
   * What to do with requests to other hosts, except this machine: `'error'` stops them and fails the test, `'warn'` and
   * `'bypass'` perform them. Requests that MSW cannot intercept, such as those of undici, fail the test but are not stopped.
   * If you have your own MSW server, use its option instead. Default: `'error'`.
   */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined;
  /**
   * What to do if a fault of the test was never used: `'error'` fails the test, unless it failed already, `'warn'` prints the
   * faults. A fault with a percentage also counts as used if only chance spared a call. Default: `'error'`.
   */
  readonly unusedFaults?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * Whether a test may depend on assumptions: `true` fails it if it does, a list allows only those assumptions, `'print'`
   * prints them after the test. Default: `false`, which allows all.
   */
  readonly strict?: boolean | 'print' | readonly AssumptionId[] | undefined;
}

const { baseUrl: _baseUrl, ...withoutBaseUrl } = gatewayOptionKinds;
const optionKinds: OptionKinds<TestGatewayOptions> = {
  ...withoutBaseUrl,
  unmatched: ['fail', 'allow'],
  onUnhandledRequest: ['bypass', 'warn', 'error'],
  unusedFaults: ['error', 'warn', 'allow'],
  strict: 'other', // see checkStrict
};

let count = 0;

/** Checks the option `strict`, whose misspelt values would have no effect. */
const checkStrict = (strict: NonNullable<TestGatewayOptions['strict']>): void => {
  if (typeof strict === 'boolean' || strict === 'print') return;
  if (!Array.isArray(strict))
    throw new Error(
      `Invalid option "strict": it must be true, false, "print" or a list of assumptions, but found ${JSON.stringify(strict)}.`,
    );
  const known = Object.keys(assumptions);
  for (const id of strict)
    if (!known.includes(id))
      throw new Error(
        `Invalid option "strict": unknown assumption "${id}".${endSentence(suggest(String(id), known))}`,
      );
};

/** The gateway of a test, and the function to call when the test has ended. */
export interface OpenTestGateway {
  readonly gateway: TestGateway;
  /** @throws Error with everything that the test did but may not do */
  readonly end: (hasFailed: boolean) => Promise<void>;
}

/** @param isOwn whether the fixture's own MSW server intercepts: only then `onUnhandledRequest` has an effect */
export const openTestGateway = async (
  given: TestGatewayOptions,
  isOwn: boolean,
): Promise<OpenTestGateway> => {
  checkOptions(given, optionKinds);
  if (given.onUnhandledRequest !== undefined && !isOwn)
    throw new Error(
      'The option "onUnhandledRequest" has no effect here, since your own MSW server intercepts the requests. Pass the option to its listen().',
    );
  const {
    unmatched,
    onUnhandledRequest = 'error',
    unusedFaults = 'error',
    strict = false,
    ...options
  } = given;
  checkStrict(strict);
  count += 1;
  const host = `test-${count}.gateway.test`;
  const baseUrl = `http://${host}/v1`;
  const { gateway, subscribe, faultsNow } = openGateway({ ...options, baseUrl });

  // Recorded apart from the journal, which the test may clear.
  const strays: string[] = [];
  const outside: string[] = [];
  const relied = new Map<string, number>();
  const onStray = ({ method, path, nearest }: { method: string; path: string; nearest: string | null }) =>
    void strays.push(`${method} ${path}: ${nearest}`);
  const dropped: EndedFault[] = [];
  subscribe((session, event) => {
    if (event.type === 'dropped')
      for (const fault of event.faults) dropped.push({ ...fault, session, droppedBy: event.what });
    if (event.type !== 'request') return;
    const request = event.request();
    if (request.operation === null) onStray(request);
    for (const id of request.assumptions) relied.set(id, (relied.get(id) ?? 0) + 1);
  });
  const onOutside = (request: string) => void outside.push(request);
  const departures = new Departures();
  const running: RunningTest = { gateway, onUnhandledRequest, onStray, onOutside, departures };
  runningTests.set(host, running);

  const end = async (hasFailed: boolean): Promise<void> => {
    await settleRequests(running);
    endRunningTest(host);
    const unseen = describeUnseen(departures.unseen());
    if (onUnhandledRequest === 'warn' && unseen !== '') console.warn(unseen);
    const unused = describeUnusedFaults(describeUnusedEnds([...faultsNow(), ...dropped]));
    const reliance = describeReliance(relied, strict);
    if (unusedFaults === 'warn' && unused !== '') console.warn(unused);
    if (strict === 'print' && reliance !== '') console.info(reliance);
    const problems = [
      unmatched === 'allow' || options.journal === 0 ? '' : describeStrays(strays),
      describeOutside(outside),
      onUnhandledRequest === 'error' ? unseen : '',
      unusedFaults === 'error' && !hasFailed ? unused : '',
      strict === 'print' ? '' : reliance,
    ].filter((problem) => problem !== '');
    if (problems.length === 0) return;
    const error = new Error(problems.join('\n\n'));
    error.stack = `${error.name}: ${error.message}`; // the stack would only show this file
    throw error;
  };
  const { api, virtual } = await findKeys(gateway);
  const headers = { 'x-gateway-api-key': api, 'x-gateway-virtual-key': virtual };
  return { gateway: { ...gateway, baseUrl, headers }, end };
};

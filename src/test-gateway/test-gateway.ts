// The gateway of one test: its world, and what it reports when the test ends.
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
import { endTestUnderWay, settleRequests, type TestUnderWay, testsUnderWay } from './interception.ts';
import {
  describeOutside,
  describeReliance,
  describeStrays,
  describeUnseen,
  describeUnusedFaults,
} from './problems.ts';

/** The gateway of one test: the control of its world, and what a call to it needs. */
export interface TestGateway extends Control, Pick<Gateway, 'session'> {
  /** What the app under test takes for its base URL. Each test has its own: `http://test-1.gateway.test/v1` */
  readonly baseUrl: string;
  /** Keys that the gateway accepts, as the headers of a call. */
  readonly headers: Readonly<Record<'x-gateway-api-key' | 'x-gateway-virtual-key', string>>;
}

/** What a test's gateway is made from: all that `createGateway` takes, except for the base URL. */
export interface TestGatewayOptions extends Omit<GatewayOptions, 'baseUrl'> {
  /** Whether a test fails if one of its requests to the gateway reached no operation. The journal must be on. Default: `'fail'`. */
  readonly unmatched?: 'fail' | 'allow' | undefined;
  /**
   * What becomes of a request to any other host, this machine aside: `'error'` stops it and fails the test, `'warn'` and
   * `'bypass'` let it reach the network. What MSW does not reach, such as undici itself, fails the test and is not stopped.
   * An MSW server of your own decides by its own option. Default: `'error'`.
   */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined;
  /**
   * What becomes of a test with a fault that never came into play: `'error'` fails it, unless it has failed already,
   * `'warn'` prints the faults. A fault with a share of the calls has come into play once chance alone spared one. Default: `'error'`.
   */
  readonly unusedFaults?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * Whether a test may rely on assumptions, which is where the contract is silent: `true` fails those that do, a list
   * allows the ones in it, `'print'` prints them after the test. Default: `false`, any will do.
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

/** What is misspelt would be ignored, or allow nothing. */
const checkStrict = (strict: NonNullable<TestGatewayOptions['strict']>): void => {
  if (typeof strict === 'boolean' || strict === 'print') return;
  if (!Array.isArray(strict))
    throw new Error(
      `The option "strict" is true, false, "print" or a list of assumptions, but found ${JSON.stringify(strict)}.`,
    );
  const known = Object.keys(assumptions);
  for (const id of strict)
    if (!known.includes(id))
      throw new Error(
        `The option "strict" names an unknown assumption, "${id}".${endSentence(suggest(String(id), known))}`,
      );
};

/** A test's gateway, and what to call when the test has ended. */
export interface OpenTestGateway {
  readonly gateway: TestGateway;
  /** @throws Error with everything that the test did and may not do */
  readonly end: (hasFailed: boolean) => Promise<void>;
}

/** @param isOwn whether the fixture's own server intercepts: only then it decides about requests to other hosts */
export const openTestGateway = async (
  given: TestGatewayOptions,
  isOwn: boolean,
): Promise<OpenTestGateway> => {
  checkOptions(given, optionKinds);
  if (given.onUnhandledRequest !== undefined && !isOwn)
    throw new Error(
      'The option "onUnhandledRequest" has no effect here: your own MSW server decides about such requests. Give the option to its listen().',
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

  // Kept apart from the journal, which the test may clear.
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
  const underWay: TestUnderWay = { gateway, onUnhandledRequest, onStray, onOutside, departures };
  testsUnderWay.set(host, underWay);

  const end = async (hasFailed: boolean): Promise<void> => {
    await settleRequests(underWay);
    endTestUnderWay(host);
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
    error.stack = `${error.name}: ${error.message}`; // where it was thrown is of no interest
    throw error;
  };
  const { api, virtual } = await findKeys(gateway);
  const headers = { 'x-gateway-api-key': api, 'x-gateway-virtual-key': virtual };
  return { gateway: { ...gateway, baseUrl, headers }, end };
};

// The calls that laws make, and how far their replies can be read.

import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { fillPath } from '../protocol/paths.ts';
import { toJsonText } from '../util/json.ts';
import { tryParse } from '../util/try-parse.ts';
import {
  describeCall,
  type LawCall,
  type LawReply,
  NotCheckable,
  Refused,
  type Samples,
  type Target,
} from './check.ts';

/** A query of those parameters that have a value. */
export const toQuery = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
};

export const policyCall = (id: string, status?: string): LawCall => ({
  method: 'GET',
  path: fillPath(getRateLimitsPolicyContract.path, { rateLimitsPolicyId: id }),
  query: toQuery({ status }),
});

/** Renders the prompt to look at, with `body` beside the variables. */
export const renderCall = (
  { prompt = '', variables = {} }: Samples,
  body: Readonly<Record<string, unknown>> = {},
): LawCall => ({
  method: 'POST',
  path: fillPath(renderPromptContract.path, { promptId: prompt }),
  headers: { 'content-type': 'application/json' },
  body: toJsonText({ variables, ...body }),
});

/** Parsing takes most of the time of a run, and many checks look at one reply. */
const parsed = new WeakMap<LawReply, unknown>();

/** The body of a reply as JSON; undefined where it is none. */
export const parseReply = (reply: LawReply): unknown => {
  if (!parsed.has(reply)) parsed.set(reply, tryParse(reply.text));
  return parsed.get(reply);
};

/** A field of what may be an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls, for a reply that tells something of the target. @throws NotCheckable where it has no time (429), or fails (5xx) */
export const ask = async (target: Target, call: LawCall): Promise<LawReply> => {
  const reply = await target.call(call);
  if (reply.status !== 429 && reply.status < 500) return reply;
  throw refused(call, reply);
};

/** Calls, and once more where it fails (5xx). @throws NotCheckable where it is refused for the keys or the rate */
export const askTwice = async (target: Target, call: LawCall): Promise<LawReply> => {
  const first = await target.call(call);
  const reply = first.status < 500 ? first : await target.call({ ...call, fresh: true });
  if ([401, 403, 429].includes(reply.status)) throw refused(call, reply);
  return reply;
};

/** Calls, and reads the JSON object of the reply. @throws NotCheckable where the answer is no 200 with one */
export const readObject = async (
  target: Target,
  call: LawCall,
): Promise<Readonly<Record<string, unknown>>> => {
  const reply = await target.call(call);
  if (reply.status !== 200) throw refused(call, reply);
  const value = parseReply(reply);
  if (!isObject(value)) throw new NotCheckable(`${describeCall(call)} is answered by no JSON object.`);
  return value;
};

/** What a law throws where a call that should succeed is refused: with what may be the reason. */
export const refused = (call: LawCall, reply: Pick<LawReply, 'status'>): Refused =>
  new Refused(`${describeCall(call)} is answered by ${reply.status}${hintFor(call, reply)}.`);

const hintFor = ({ method }: LawCall, { status }: Pick<LawReply, 'status'>): string => {
  if (status === 401 || status === 403) return ' (are the keys accepted for this call?)';
  if (status === 404) return ' (is there such a record?)';
  if (status >= 300 && status < 400)
    return ' (a redirect, which is not followed: is this the final address?)';
  if (status === 429) return ' (a lower rate may help)';
  return status === 400 && method === 'POST' ? ' (are all variables of the prompt given?)' : '';
};

/** For `catch`: what cannot be checked is left out. */
export const ignoreNotCheckable = (error: unknown): undefined => {
  if (!(error instanceof NotCheckable)) throw error;
};

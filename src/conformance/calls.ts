// The calls that checks make, and how their replies are read.

import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { fillPath } from '../protocol/paths.ts';
import { toJsonText } from '../util/json.ts';
import { isMapping } from '../util/mapping.ts';
import { tryParse } from '../util/try-parse.ts';
import {
  type CheckCall,
  type CheckReply,
  type CheckSamples,
  type CheckTarget,
  describeCall,
  NotCheckable,
  Refused,
} from './check.ts';

/** The query string of the parameters that have a value. */
export const toQuery = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
};

export const policyCall = (id: string, status?: string): CheckCall => ({
  method: 'GET',
  path: fillPath(getRateLimitsPolicyContract.path, { rateLimitsPolicyId: id }),
  query: toQuery({ status }),
});

/** Renders the sample prompt, with the fields of `body` beside the variables. */
export const renderCall = (
  { prompt = '', variables = {} }: CheckSamples,
  body: Readonly<Record<string, unknown>> = {},
): CheckCall => ({
  method: 'POST',
  path: fillPath(renderPromptContract.path, { promptId: prompt }),
  headers: { 'content-type': 'application/json' },
  body: toJsonText({ variables, ...body }),
});

/** Parsing takes most of the time of a run, and many checks read the same reply. */
const parsed = new WeakMap<CheckReply, unknown>();

/** The body of a reply as JSON; undefined if it is not JSON. */
export const parseReply = (reply: CheckReply): unknown => {
  if (!parsed.has(reply)) parsed.set(reply, tryParse(reply.text));
  return parsed.get(reply);
};

/** A list in a field of a value; empty if there is none. */
export const itemsOf = (value: unknown, name: string): readonly unknown[] => {
  const items = fieldOf(value, name);
  return Array.isArray(items) ? items : [];
};

/** A field of a value that may be an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Sends a call. @throws NotCheckable if the reply is a rate limit (429) or a server error (5xx) */
export const ask = async (target: CheckTarget, call: CheckCall): Promise<CheckReply> => {
  const reply = await target.call(call);
  if (reply.status !== 429 && reply.status < 500) return reply;
  throw refused(call, reply);
};

/** Sends a call, and once more on a server error (5xx). @throws NotCheckable if it is refused because of keys or rate */
export const askTwice = async (target: CheckTarget, call: CheckCall): Promise<CheckReply> => {
  const first = await target.call(call);
  const reply = first.status < 500 ? first : await target.call({ ...call, fresh: true });
  if ([401, 403, 429].includes(reply.status)) throw refused(call, reply);
  return reply;
};

/** Sends a call and reads its JSON object. @throws NotCheckable if the reply is not status 200 with a JSON object */
export const readObject = async (
  target: CheckTarget,
  call: CheckCall,
): Promise<Readonly<Record<string, unknown>>> => {
  const reply = await target.call(call);
  if (reply.status !== 200) throw refused(call, reply);
  const value = parseReply(reply);
  if (!isMapping(value)) throw new NotCheckable(`${describeCall(call)} did not return a JSON object.`);
  return value;
};

/** Renders the sample prompt with the fields of `body` beside the variables, and reads the rendered body. */
export const readData = async (target: CheckTarget, body: Readonly<Record<string, unknown>> = {}) => {
  const call = renderCall(target.samples, body);
  return { request: describeCall(call), data: fieldOf(await readObject(target, call), 'data') };
};

/** The error for a refused call that should succeed, with a likely reason. */
export const refused = (call: CheckCall, reply: Pick<CheckReply, 'status'>): Refused =>
  new Refused(`${describeCall(call)} returned ${reply.status}${hintFor(call, reply)}.`);

const hintFor = ({ method }: CheckCall, { status }: Pick<CheckReply, 'status'>): string => {
  if (status === 401 || status === 403) return ' (are the keys accepted for this call?)';
  if (status === 404) return ' (does the record exist?)';
  if (status >= 300 && status < 400) return ' (redirects are not followed: is this the final address?)';
  if (status === 429) return ' (a lower rate may help)';
  return status === 400 && method === 'POST' ? ' (does the prompt need more variables?)' : '';
};

/** For `catch`: ignores what cannot be checked. */
export const ignoreNotCheckable = (error: unknown): undefined => {
  if (!(error instanceof NotCheckable)) throw error;
};

// How checks send calls and read the replies.

import { parseJson } from '../../core/util/json.ts';
import { isMapping, type Mapping } from '../../core/util/mapping.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import { describeCall, NotCheckable, toUnchecked } from './check.ts';
import type { CheckCall, CheckReply, CheckTarget } from './types.ts';

/** Parsing takes most of the time of a run, and many checks read the same reply. */
const parsed = new WeakMap<CheckReply, unknown>();

/** The body of a reply as JSON; undefined if it is not JSON. */
export const parseReply = (reply: CheckReply): unknown => {
  if (!parsed.has(reply)) parsed.set(reply, tryParse(reply.text, parseJson));
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

/** Sends a call that may be refused. @throws NotCheckable only for a rate limit (429) */
export const tryCall = async (target: CheckTarget, call: CheckCall): Promise<CheckReply> => {
  const reply = await target.call({ ...call, mayFail: true });
  if (reply.status === 429) throw refused(call, reply);
  return reply;
};

/** Sends a call and reads its JSON object. @throws NotCheckable if the reply is not status 200 with a JSON object */
export const readObject = async (target: CheckTarget, call: CheckCall): Promise<Mapping> => {
  const reply = await target.call(call);
  if (reply.status !== 200) throw refused(call, reply);
  const value = parseReply(reply);
  if (!isMapping(value))
    throw new NotCheckable(`${describeCall(call)} did not return a JSON object.`, 'unreadable');
  return value;
};

/** The error for a call whose reply is not a 200. A rate limit, or the refusal of a valid call, makes a run incomplete. */
export const refused = (call: CheckCall, { status }: Pick<CheckReply, 'status'>, hint = ''): NotCheckable => {
  const message = `${describeCall(call)} returned ${status}${hint}.`;
  return new NotCheckable(message, call.mayFail && status !== 429 ? undefined : 'refused');
};

/** For `catch`: ignores errors that mean "could not be checked". */
export const ignoreNotCheckable = (error: unknown): undefined => {
  toUnchecked(error);
};

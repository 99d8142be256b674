import type { Situation } from '../control/sessions.ts';
import { answerInstead, type ReplyParts } from '../faults/answer.ts';
import type { Hit } from '../faults/faults.ts';
import { hostilePage, whyIdle } from '../faults/page.ts';
import type { Trace } from '../journal/entry.ts';
import { policies } from '../operations/get-rate-limits-policy/record.ts';
import { withAbsentValues } from '../protocol/absent-values.ts';
import type { Assume, AssumptionId } from '../protocol/assumptions.ts';
import { checkApiKey, checkBetaHeader, checkVirtualKey } from '../protocol/auth.ts';
import { parseBody } from '../protocol/body.ts';
import type { RawCall } from '../protocol/call.ts';
import { decodeParams } from '../protocol/path-params.ts';
import { parseQuery } from '../protocol/query.ts';
import { toReplyText } from '../protocol/reply-text.ts';
import { type Match, methodsOf } from '../protocol/router.ts';
import type { AnyCall, AnyOperation } from '../world/operation.ts';

/** What the answer to one call is made from, and what is noted on the way. */
export interface Answering {
  readonly situation: Situation;
  readonly assume: Assume;
  readonly mark: (id: AssumptionId) => void;
  /** The marks that the reply has so far. */
  readonly marks: readonly AssumptionId[];
  readonly trace: Trace;
  hit?: Hit | undefined;
}

export const json = { 'content-type': 'application/json' };

/**
 * Answers a call that was routed: fault, keys, parameters, body, existence, quotas.
 *
 * @throws GatewayError with the refusal of whichever check fails first
 */
export const respond = (match: Match<AnyOperation>, raw: RawCall, answering: Answering): ReplyParts => {
  const { situation, assume, trace } = answering;
  const { operation } = match;
  assume('check-order');
  if (raw.method === 'OPTIONS')
    return { status: 204, headers: { allow: methodsOf(operation).join(', ') }, body: null };

  const hit = situation.faults.hit(operation, raw);
  answering.hit = hit;
  if (hit !== undefined) {
    trace.faults = hit.lines;
    trace.idleFaults = hit.idle;
  }
  const instead = hit?.effect && answerInstead(hit.effect);
  if (instead !== undefined) {
    if (hit?.effect?.kind === 'error') assume('error-body');
    return instead;
  }
  try {
    return answerCall(match, raw, answering);
  } finally {
    hit?.settle('the call was refused'); // without an effect once the page was made
  }
};

/** Answers a call that no fault answers: keys, parameters, body, existence, quotas. */
const answerCall = (match: Match<AnyOperation>, raw: RawCall, answering: Answering): ReplyParts => {
  const { situation, assume, hit } = answering;
  const { operation } = match;
  const { contract } = operation;
  const { world, quotas } = situation;
  checkApiKey(raw.header, world.keys, operation.id, assume);
  if (contract.virtualKey) checkVirtualKey(raw.header, world.keys, assume);
  if (contract.betaHeader) checkBetaHeader(raw.header, assume);
  const isLimited = quotas.isEnforced() && !isPolicyCall(operation);
  const key = hit?.effect === undefined && !isLimited ? keyOf(raw) : undefined;
  return key === undefined ? ask(match, raw, answering, isLimited) : answerKept(key, match, raw, answering);
};

/** The longest body that a kept answer is known by, in bytes. */
const maxKeyBody = 4000;

/** All of a call that its answer depends on, once its keys were accepted; undefined where that is too much to keep. */
const keyOf = ({ path, query, body, header }: RawCall): string | undefined => {
  if (typeof body === 'string' || body.byteLength > maxKeyBody) return undefined;
  if (body.byteLength === 0) return `${path}?${query}`;
  // No header has a line break: one that is missing is not like any that is there.
  const type = `${header('content-type') ?? '\n'}\n${header('content-encoding') ?? '\n'}`;
  return `${path}?${query}\n${type}\n${byteText.decode(body)}`;
};

/** Each byte becomes a character of its own: as UTF-8, two bodies that are none would become one text. */
const byteText = new TextDecoder('latin1');

/**
 * The answer of a call that nothing but the world's records and time decides: the same as long as these stay. Keeping
 * it spares what is left of the time beside the keys and the journal (bench: 0.63 to 0.9 of bare node:http).
 */
const answerKept = (
  key: string,
  match: Match<AnyOperation>,
  raw: RawCall,
  answering: Answering,
): ReplyParts => {
  const { situation, mark, marks, trace } = answering;
  const kept = situation.memo.get(key);
  if (kept !== undefined) {
    for (const id of kept.marks) mark(id);
    if (kept.page !== undefined) trace.page = kept.page;
    return { status: 200, headers: json, body: kept.body, bytes: kept.bytes };
  }
  const before = marks.length;
  const answer = ask(match, raw, answering, false);
  const body = answer.body ?? '';
  const bytes = encoder.encode(body);
  situation.memo.set(key, { body, bytes, page: trace.page, marks: marks.slice(before) });
  return { ...answer, bytes };
};

const encoder = new TextEncoder();

/** Asks the operation itself. */
const ask = (
  { operation, params }: Match<AnyOperation>,
  raw: RawCall,
  answering: Answering,
  isLimited: boolean,
): ReplyParts => {
  const { situation, assume, trace } = answering;
  const { quotas } = situation;
  const { contract } = operation;
  const call = {
    params: decodeParams(params),
    query: parseQuery(contract.query, raw.query, assume),
    body: contract.body === undefined ? {} : parseBody(raw),
    assume,
  };
  const reply = makeReply(operation, call, answering);
  const headers = isLimited ? quotas.spend({ header: raw.header, params: call.params, reply }, assume) : {};
  notePage(reply, trace);
  const shown = withAbsentValues(reply, contract.reply, assume);
  return { status: 200, headers: { ...json, ...headers }, body: toReplyText(shown) };
};

/** The reply of an operation, or the page that a fault makes of it. */
const makeReply = (
  operation: AnyOperation,
  call: AnyCall,
  { situation: { world }, hit }: Answering,
): object => {
  if (hit?.effect === undefined || !('page' in hit.effect)) return operation.handle(call, world);
  const reason = whyIdle(hit.effect, operation, call, world);
  hit.settle(reason);
  return reason === undefined
    ? hostilePage(hit.effect, operation, call, world)
    : operation.handle(call, world);
};

/** Whoever asks for a policy is not limited by any. */
const isPolicyCall = ({ kinds }: AnyOperation): boolean => kinds.some(({ name }) => name === policies.name);

/** For lists, which records were on the page. */
const notePage = (reply: object, trace: Trace): void => {
  const { data, has_more } = reply as { readonly data?: unknown; readonly has_more?: boolean };
  if (!Array.isArray(data) || has_more === undefined) return;
  trace.page = { ids: data.map(({ id }) => id), has_more };
};

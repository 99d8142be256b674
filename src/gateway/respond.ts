import type { WorldState } from '../control/world-state.ts';
import type { ReplyParts } from '../faults/answer.ts';
import type { PageEffect } from '../faults/effect.ts';
import type { Hit } from '../faults/faults.ts';
import { hostilePage, whyIdle } from '../faults/page.ts';
import type { Page, Trace } from '../journal/recorded-request.ts';
import { withAbsentValues } from '../protocol/absent-values.ts';
import type { Marking } from '../protocol/assume.ts';
import type { Assume } from '../protocol/assumptions.ts';
import { checkApiKey, checkBetaHeader, checkVirtualKey } from '../protocol/auth.ts';
import { parseBody } from '../protocol/body.ts';
import type { Passing, RawCall } from '../protocol/call.ts';
import { decodeParams } from '../protocol/paths.ts';
import { parseQuery } from '../protocol/query.ts';
import { toReplyText } from '../protocol/reply-text.ts';
import type { Match } from '../protocol/router.ts';
import type { AnyCall, AnyOperation } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { cacheAnswers } from './answer-cache.ts';

/** An answer; for a page, with its records, and for a refused call, with the reason. */
export interface Answer extends ReplyParts {
  readonly page?: Page | undefined;
  readonly refusal?: Trace['refusal'];
  /** Set if another server answers. */
  readonly passing?: Passing | undefined;
}

export const json = { 'content-type': 'application/json' };

/**
 * Answers a call unless a fault does: keys, parameters, body, existence, quotas.
 *
 * @throws GatewayError from the first check that fails
 */
export const respond = (
  match: Match<AnyOperation>,
  raw: RawCall,
  { world, quotas }: WorldState,
  hit: Hit | undefined,
  marking: Marking,
): Answer => {
  const { operation } = match;
  const { assume } = marking;
  checkKeys(operation, raw, world, assume);
  const isLimited = quotas.isEnforced() && !operation.isExemptFromQuotas;
  const shape = hit?.effect !== undefined && 'page' in hit.effect ? hit.effect : undefined;
  if (!isLimited && shape === undefined) return answer(match, raw, world, marking);

  const call = toCall(match, raw, assume);
  const reply =
    shape === undefined
      ? operation.handle(call, world)
      : replyByFault(shape, hit?.settle, operation, call, world);
  const limits = isLimited ? quotas.spend({ header: raw.header, params: call.params, reply }, assume) : {};
  const { headers, ...parts } = toAnswer(operation, reply, assume);
  return { ...parts, headers: { ...headers, ...limits } };
};

const checkKeys = (
  { id, contract }: AnyOperation,
  { header }: RawCall,
  { keys }: World,
  assume: Assume,
): void => {
  checkApiKey(header, keys, id, assume);
  if (contract.virtualKey) checkVirtualKey(header, keys, assume);
  if (contract.betaHeader) checkBetaHeader(header, assume);
};

/** The operation's answer, which depends only on the call and the world. */
const answer = cacheAnswers(
  (match: Match<AnyOperation>, raw: RawCall, world: World, { assume }: Marking): Answer => {
    const { operation } = match;
    return toAnswer(operation, operation.handle(toCall(match, raw, assume), world), assume);
  },
);

const toCall = ({ operation, params }: Match<AnyOperation>, raw: RawCall, assume: Assume): AnyCall => ({
  params: decodeParams(params),
  query: parseQuery(operation.contract.query, raw.query, assume),
  body: operation.contract.body === undefined ? {} : parseBody(raw),
  assume,
});

const toAnswer = ({ contract }: AnyOperation, reply: object, assume: Assume): Answer => ({
  status: 200,
  headers: json,
  body: toReplyText(withAbsentValues(reply, contract.reply, assume)),
  page: pageOf(reply),
});

/** The page that a fault makes of a list, or the operation's own reply if it cannot. */
const replyByFault = (
  effect: PageEffect,
  settle: Hit['settle'] | undefined,
  operation: AnyOperation,
  call: AnyCall,
  world: World,
): object => {
  const reason = whyIdle(effect, operation, call, world);
  settle?.(reason);
  return reason === undefined ? hostilePage(effect, operation, call, world) : operation.handle(call, world);
};

/** The ids of the records on a page; undefined if the reply is not a page. */
const pageOf = (reply: object): Page | undefined => {
  const { data, has_more } = reply as { readonly data?: unknown; readonly has_more?: boolean };
  return Array.isArray(data) && has_more !== undefined
    ? { ids: data.map(({ id }) => id), has_more }
    : undefined;
};

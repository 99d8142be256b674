import type { Situation } from '../control/sessions.ts';
import type { ReplyParts } from '../faults/answer.ts';
import type { PageEffect } from '../faults/effect.ts';
import type { Hit } from '../faults/faults.ts';
import { hostilePage, whyIdle } from '../faults/page.ts';
import type { Page } from '../journal/entry.ts';
import { policies } from '../operations/get-rate-limits-policy/record.ts';
import { withAbsentValues } from '../protocol/absent-values.ts';
import type { Marking } from '../protocol/assume.ts';
import type { Assume } from '../protocol/assumptions.ts';
import { checkApiKey, checkBetaHeader, checkVirtualKey } from '../protocol/auth.ts';
import { parseBody } from '../protocol/body.ts';
import type { RawCall } from '../protocol/call.ts';
import { decodeParams } from '../protocol/path-params.ts';
import { parseQuery } from '../protocol/query.ts';
import { toReplyText } from '../protocol/reply-text.ts';
import type { Match } from '../protocol/router.ts';
import type { AnyCall, AnyOperation } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { keepAnswers } from './kept-answers.ts';

/** An answer, with the records on it where it is a page. */
export interface Answer extends ReplyParts {
  readonly page?: Page | undefined;
}

export const json = { 'content-type': 'application/json' };

/**
 * Answers a call that no fault answers: keys, parameters, body, existence, quotas.
 *
 * @throws GatewayError with the refusal of whichever check fails first
 */
export const respond = (
  match: Match<AnyOperation>,
  raw: RawCall,
  { world, quotas }: Situation,
  hit: Hit | undefined,
  marking: Marking,
): Answer => {
  const { operation } = match;
  const { assume } = marking;
  checkKeys(operation, raw, world, assume);
  const isLimited = quotas.isEnforced() && !isPolicyCall(operation);
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

/** What the operation answers, by the call and the world alone. */
const answer = keepAnswers(
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

/** The page that a fault makes of a list; the operation's own reply where it cannot. */
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

/** Whoever asks for a policy is not limited by any. */
const isPolicyCall = ({ kinds }: AnyOperation): boolean => kinds.some(({ name }) => name === policies.name);

/** For lists, which records are on the page. */
const pageOf = (reply: object): Page | undefined => {
  const { data, has_more } = reply as { readonly data?: unknown; readonly has_more?: boolean };
  return Array.isArray(data) && has_more !== undefined
    ? { ids: data.map(({ id }) => id), has_more }
    : undefined;
};

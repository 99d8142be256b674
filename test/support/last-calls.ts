// What a failing test says besides what it expected: the last calls that it made, whatever transport they took.

import type { Call, Reply } from '../../src/core/protocol/call.ts';
import { matchPath } from '../../src/core/protocol/router.ts';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import { Mask } from '../../src/core/util/mask.ts';

/** How many calls are told: what a test expects is mostly about its last one. */
const maxCalls = 3;

/** How much is told of a body, in characters. */
const maxBody = 1000;

const calls: (readonly [Call, Reply])[] = [];

/** Notes a call of the test under way. */
export const noteCall = (call: Call, reply: Reply): void => {
  calls.push([call, reply]);
  if (calls.length > maxCalls) calls.shift();
};

/** The last calls, in words; they are forgotten with that. Empty where there were none. */
export const takeLastCalls = (): string =>
  calls
    .splice(0)
    .map(([call, reply]) => describeCall(call, reply))
    .join('\n\n');

/** The section of the contract that a reply is held against. */
export const sectionOf = (path: string): string => {
  const contract = matchPath(operations, path.replace(/^(?:\/sessions\/[^/]*)?\/v1/, ''))?.operation.contract;
  return contract === undefined ? 'no operation of the contract' : `"${contract.section}"`;
};

/** One call as one would read it off the wire, without its credentials. */
export const describeCall = (call: Call, reply: Reply): string => {
  const { method, path, query, headers, body } = call;
  const mask = new Mask();
  const sent = Object.entries(headers()).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${mask.headers({ [name]: String(value) })[name]}`],
  );
  const text = typeof body === 'string' ? `(${body})` : new TextDecoder().decode(body);
  const { 'x-mock-assumptions': marks, 'x-mock-fault': fault } = reply.headers;
  return [
    `${method} ${path}${query === '' ? '' : `?${query}`}   (contract: ${sectionOf(path)})`,
    ...sent,
    ...(text === '' ? [] : [`  ${cut(text)}`]),
    `was answered ${reply.status}${reply.body === null ? ' without a body' : `: ${cut(reply.body)}`}`,
    ...(marks === undefined ? [] : [`  where the contract is silent, by the assumptions ${marks}`]),
    ...(fault === undefined ? [] : [`  shaped by the fault ${fault}`]),
  ].join('\n');
};

/** The beginning and the end: of a page, that is where it says what follows. */
const cut = (text: string): string =>
  text.length > maxBody
    ? `${text.slice(0, maxBody - endLength)} … ${text.slice(-endLength)} (${text.length} characters)`
    : text;

const endLength = 200;

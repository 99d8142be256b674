import type { AnsweredCall } from '../server/answered-call.ts';

/** One call as a line of the log in JSON. */
export const toJsonLine = (call: AnsweredCall): string => JSON.stringify({ event: 'request', ...call });

/** One call as a line for people: `GET /v1/batches?limit=2 503  session mine  fault listBatches#1: 503  rests on …`. */
export const toTextLine = ({
  method,
  path,
  query,
  status,
  session,
  fault,
  assumptions,
}: AnsweredCall): string => {
  const target = query === '' ? path : `${path}?${query}`;
  return [
    // A target is the caller's text: what could steer a terminal is not shown.
    `${method} ${target.replace(/[^\x20-\x7e]/g, '?')} ${status ?? 'reset'}`,
    ...(session === null ? [] : [`session ${session}`]),
    ...(fault === null ? [] : [`fault ${fault}`]),
    ...(assumptions.length === 0 ? [] : [`rests on ${assumptions.join(', ')}`]),
  ].join('  ');
};

import type { AnsweredCall } from '../../service/server/answered-call.ts';

export const toJsonLine = (call: AnsweredCall): string => JSON.stringify({ event: 'request', ...call });

/** A log line as text: `GET /v1/batches?limit=2 503  session mine  fault listBatches#1: 503  assumptions …`. */
export const toTextLine = ({
  method,
  path,
  query,
  status,
  session,
  fault,
  upstream,
  assumptions,
}: AnsweredCall): string => {
  const target = query === '' ? path : `${path}?${query}`;
  return [
    // Callers choose the target, so characters that control a terminal are replaced.
    `${method} ${target.replace(/[^\x20-\x7e]/g, '?')} ${status ?? 'reset'}`,
    ...(session === null ? [] : [`session ${session}`]),
    ...(fault === null ? [] : [`fault ${fault}`]),
    ...(upstream === null ? [] : [`upstream ${upstream}`]),
    ...(assumptions.length === 0 ? [] : [`assumptions ${assumptions.join(', ')}`]),
  ].join('  ');
};

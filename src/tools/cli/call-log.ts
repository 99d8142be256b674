import type { AnsweredCall } from '../../service/server/answered-call.ts';
import type { Print } from './usage-error.ts';

export const toJsonLine = (call: AnsweredCall): string => JSON.stringify({ event: 'request', ...call });

/** A log line as text: `GET /v1/batches?limit=2 503  session mine  fault listBatches#1: 503  assumptions …`. */
export const toTextLine = (call: AnsweredCall): string => {
  const { method, path, query, status, outcome, session, fault, upstream, assumptions } = call;
  const target = query === '' ? path : `${path}?${query}`;
  return [
    // Callers choose the target, so characters that control a terminal are replaced.
    `${method} ${target.replace(/[^\x20-\x7e]/g, '?')} ${status ?? outcome}`,
    ...(session === null ? [] : [`session ${session}`]),
    ...(fault === null ? [] : [`fault ${fault}`]),
    ...(upstream === null ? [] : [`upstream ${upstream}`]),
    ...(assumptions.length === 0 ? [] : [`assumptions ${assumptions.join(', ')}`]),
  ].join('  ');
};

/** Prints lines. The lines of one turn of the event loop go out in one write, since each write is a system call. */
export const createLog = (print: Print): Print => {
  const lines: string[] = [];
  const flush = (): void => {
    process.off('exit', flush);
    if (lines.length > 0) print(lines.splice(0).join('\n'));
  };
  return (line) => {
    if (lines.push(line) > 1) return;
    process.on('exit', flush);
    setImmediate(flush);
  };
};

import type { AssumptionId } from '../../core/assumptions/table.ts';
import type { Call, Reply } from '../../core/protocol/call.ts';
import { newWorldHeader, worldHeader } from '../../core/protocol/world-headers.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { OpenedSession } from './open-session.ts';

/** The headers of every reply. */
export const toHeaders = (
  call: Call,
  own: Reply['headers'],
  { session, isNamed, isNew, refusal }: OpenedSession,
  requestId: string,
  marks: readonly AssumptionId[],
  faults: readonly string[] = [],
): Record<string, string> => {
  // Set one by one: spreading optional objects takes longer than all the checks (measured).
  const headers: Record<string, string> = { ...own };
  headers['x-gateway-trace-id'] = traceIdOf(call) ?? `trace_${requestId.slice('req_'.length)}`;
  if (marks.length > 0) headers['x-mock-assumptions'] = marks.join(', ');
  if (faults.length > 0) headers['x-mock-fault'] = toHeader(faults);
  if (isNamed) headers['x-mock-session'] = session.name;
  if (refusal === undefined) {
    headers[worldHeader] = session.worldId;
    if (isNew || session.isUnreported) headers[newWorldHeader] = 'yes';
    session.isUnreported = false;
  }
  headers['x-request-id'] = requestId;
  return headers;
};

const traceIdOf = ({ header }: Call): string | undefined => {
  const sent = header('x-gateway-trace-id') ?? '';
  return /^[\x20-\x7e]{1,256}$/.test(sent) ? sent : undefined;
};

/** The first few faults, shortened, as a header of printable ASCII. */
const toHeader = (lines: readonly string[]): string =>
  lines
    .slice(0, 8)
    .map((line) => truncate(line).replace(/[^\x20-\x7e]/g, toEscape))
    .join(' | ');

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

// The parts that replies are made of: their headers, and the JSON text of their body.
import type { Call, Reply } from '../../core/protocol/call.ts';
import { corsHeaders } from '../../core/protocol/cors.ts';
import { newWorldHeader, worldHeader } from '../../core/protocol/world-headers.ts';
import { toJsonText } from '../../core/util/json.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { Exchange } from './find.ts';
import { mayReadForwarded } from './forward.ts';

/**
 * All headers of a reply: its own, and those that every reply has. The first reply of a new world says that it is new, and sets
 * `isUnreported` back.
 */
export const toHeaders = (exchange: Exchange, own: Reply['headers']): Record<string, string> => {
  const { call, opened, marking, faultDecision, forwardTo } = exchange;
  const { session, isNamed, isNew } = opened;
  const isReadable =
    marking.assume('cors') === 'open' &&
    (forwardTo === undefined || mayReadForwarded(call, session.state.world.keys));
  const requestId = requestIdOf(exchange);
  // Headers are set one by one: spreading optional objects takes longer than all the checks (measured).
  const headers: Record<string, string> = isReadable ? { ...corsHeaders(call, own), ...own } : { ...own };
  headers['x-gateway-trace-id'] = traceIdOf(call) ?? `trace_${requestId.slice('req_'.length)}`;
  if (marking.marks.length > 0) headers['x-mock-assumptions'] = marking.marks.join(', ');
  if (faultDecision !== undefined && faultDecision.lines.length > 0)
    headers['x-mock-fault'] = toHeader(faultDecision.lines);
  if (isNamed) headers['x-mock-session'] = session.name;
  if (opened.error === undefined) {
    headers[worldHeader] = session.worldId;
    if (isNew || session.isUnreported) headers[newWorldHeader] = 'yes';
    session.isUnreported = false;
  }
  headers['x-request-id'] = requestId;
  return headers;
};

/** The id of the call. The world counts it when it is first asked for. */
export const requestIdOf = (exchange: Exchange): string => {
  exchange.requestId ??= exchange.opened.session.state.world.nextRequestId();
  return exchange.requestId;
};

const traceIdOf = ({ header }: Call): string | undefined => {
  const id = header('x-gateway-trace-id') ?? '';
  return /^[\x20-\x7e]{1,256}$/.test(id) ? id : undefined;
};

/** The lines of the first few faults, shortened to printable ASCII: the value of a header. */
const toHeader = (lines: readonly string[]): string =>
  lines
    .slice(0, 8)
    .map((line) => truncate(line).replace(/[^\x20-\x7e]/g, toEscape))
    .join(' | ');

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes the body of a reply as JSON. The body of a list is joined from the cached texts of its records. */
export const toReplyBody = (reply: object): Pick<Reply, 'body' | 'parts'> => {
  const data: unknown = 'data' in reply ? reply.data : undefined;
  if (!Array.isArray(data)) return { body: toJsonText(reply) };
  const parts: string[] = [];
  let separator = '{';
  for (const [name, value] of Object.entries(reply)) {
    parts.push(`${separator}"${name}":`);
    separator = ',';
    if (name !== 'data') {
      parts.push(JSON.stringify(value));
      continue;
    }
    parts.push('[');
    for (const [at, record] of data.entries()) parts.push(at === 0 ? '' : ',', recordText(record));
    parts.push(']');
  }
  parts.push('}');
  return { body: parts.join(''), parts };
};

/**
 * The JSON texts of records. A record never changes in place, so its text stays valid. This saves two thirds of the time
 * of a page (bench: "nothing cached" 0.19, "joined texts" 0.45 of bare node:http).
 */
const texts = new WeakMap<object, string>();

const recordText = (record: object): string => {
  const cachedText = texts.get(record);
  if (cachedText !== undefined) return cachedText;
  const text = toJsonText(record);
  texts.set(record, text);
  return text;
};

import type { Reply } from '../../core/protocol/call.ts';
import { toJsonText } from '../../core/util/json.ts';

/** Writes the body of a reply as JSON. The body of a list is joined from the cached texts of its records. */
export const toReplyBody = (reply: object): Pick<Reply, 'body' | 'parts'> => {
  const data: unknown = 'data' in reply ? reply.data : undefined;
  if (!Array.isArray(data)) return { body: toJsonText(reply) };
  const parts: string[] = [];
  let separator = '{';
  for (const [name, value] of Object.entries(reply)) {
    parts.push(`${separator}"${name}":`);
    if (name === 'data') pushList(parts, data);
    else parts.push(JSON.stringify(value));
    separator = ',';
  }
  parts.push('}');
  return { body: parts.join(''), parts };
};

const pushList = (parts: string[], records: readonly object[]): void => {
  parts.push('[');
  for (const [at, record] of records.entries()) parts.push(at === 0 ? '' : ',', recordText(record));
  parts.push(']');
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

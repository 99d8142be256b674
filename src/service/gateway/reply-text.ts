import { toJsonText } from '../../core/util/json.ts';

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

/** Writes the body of a reply as JSON. The records of a list use their cached texts. */
export const toReplyText = (reply: object): string => {
  const data: unknown = 'data' in reply ? reply.data : undefined;
  if (!Array.isArray(data)) return toJsonText(reply);
  const fields = Object.entries(reply).map(([name, value]) =>
    name === 'data' ? `"data":[${data.map(recordText).join(',')}]` : `"${name}":${JSON.stringify(value)}`,
  );
  return `{${fields.join(',')}}`;
};

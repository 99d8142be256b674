import { describeJson, isDeeperThan, parseJson } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { truncate } from '../util/truncate.ts';
import type { Call } from './call.ts';
import { refuse } from './refuse.ts';

/**
 * The bytes of the body of a call.
 *
 * @throws GatewayError 413 or 400 if it was not read to its end
 */
export const bytesOf = ({ body }: Pick<Call, 'body'>): Uint8Array => {
  if (body === 'too-large')
    return refuse('body-size', { message: `The body is too large: at most ${limits.body} bytes are read.` });
  if (body === 'broken') return refuse('body-format', { message: 'The body ended early.' });
  if (body === 'rounded')
    return refuse('body-format', {
      message:
        'The body was parsed before it reached the gateway, and a number in it is beyond 2^53, so its digits may be lost. Mount gateway.middleware() before body parsers such as express.json().',
    });
  return body;
};

/** Reads the body of a call as text, of whatever type. @throws GatewayError 413, 415 or 400 */
export const parseText = (call: Call): string => {
  const bytes = bytesOf(call);
  checkEncoding(call.header('content-type'), call.header('content-encoding'));
  return decode(bytes);
};

/**
 * Reads the body of a call as JSON, in which integers beyond 2^53 are bigints.
 *
 * @throws GatewayError 413, 415 or 400
 */
export const parseJsonBody = (call: Call): unknown => {
  const bytes = bytesOf(call); // first: a body that is too large is refused as such, whatever its type
  checkType(call.header('content-type'));
  const value = readJson(parseText(call));
  // Each level takes at least two characters, so short bodies need no check.
  if (bytes.byteLength > 2 * limits.depth && isDeeperThan(Object(value), limits.depth))
    refuse('body-format', {
      message: `The body is nested too deeply: at most ${limits.depth} levels are allowed.`,
    });
  return value;
};

/** Parses the body of a call, which must be a JSON object. @throws GatewayError */
export const parseBody = (call: Call): Mapping => {
  const value = parseJsonBody(call);
  if (isMapping(value)) return value;
  return refuse('body-format', {
    message: `The body must be a JSON object, but it is ${describeJson(value)}.`,
  });
};

const checkType = (type: string | undefined): void => {
  if (type !== undefined && !/^\s*application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i.test(type))
    refuse('body-type', {
      message: `The content type '${truncate(type)}' is not supported: send 'application/json'.`,
      param: 'content-type',
    });
};

const checkEncoding = (type: string | undefined, encoding: string | undefined): void => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    refuse('body-format', {
      message: `The charset '${truncate(charset)}' is not supported: send UTF-8.`,
      param: 'content-type',
    });
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    refuse('body-format', {
      message: `The content encoding '${truncate(encoding)}' is not supported: send the body as it is.`,
      param: 'content-encoding',
    });
};

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('body-format', { message: 'The body is not valid UTF-8.' });
  }
};

const readJson = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    // The engine's own messages differ between versions of Node, and replies must not.
    const found = text.trim() === '' ? 'it is empty' : `it starts with '${text.trimStart().slice(0, 40)}'`;
    return refuse('body-format', { message: `The body is not valid JSON: ${found}.` });
  }
};

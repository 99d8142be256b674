import type { Entry } from './entry.ts';
import { maskBodies } from './mask-entry.ts';

/** An entry as JSON, masked. */
export interface StoredEntry
  extends Omit<Entry, 'body' | 'replyBody' | 'isCredential' | 'credentials' | 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly replyBody: string | null;
}

export const toStoredEntry = (entry: Entry): StoredEntry => {
  maskBodies(entry);
  const { isCredential: _isCredential, credentials: _credentials, ...others } = entry;
  return {
    ...others,
    headers: entry.headers as StoredEntry['headers'], // masking has flattened them
    body: toText(entry.body),
    replyBody: toText(entry.replyBody),
  };
};

/** An entry that is never masked again. */
export const fromStoredEntry = (stored: StoredEntry): Entry => ({
  ...stored,
  bodiesDropped: stored.bodiesDropped,
  body: toBytes(stored.body),
  replyBody: toBytes(stored.replyBody),
  credentials: [],
});

/** With its byte order mark, if it has one, so that its bytes can be made again. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const toText = (body: string | Uint8Array | null): string | null =>
  body === null || typeof body === 'string' ? body : decoder.decode(body);

const toBytes = (text: string | null): Uint8Array | null =>
  text === null ? null : new TextEncoder().encode(text);

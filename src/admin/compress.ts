import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const encoders = {
  // The best quality, 11, takes ten times as long and saves a twentieth.
  br: (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => zip(text, { level: 9 }),
} as const;

export type Encoding = keyof typeof encoders;

/** The encoding for a client by its `accept-encoding`: the best that it lists. Undefined if it wants the text as it is. */
export const chooseEncoding = (accepted = ''): Encoding | undefined =>
  (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?![.\\d]*[1-9]))`, 'i').test(accepted),
  );

const compressed = new Map<string, Promise<Uint8Array>>();

/** Compresses a file that never changes, once. */
export const compress = (name: string, text: string, encoding: Encoding): Promise<Uint8Array> => {
  const key = `${encoding} ${name}`;
  const bytes = compressed.get(key) ?? encoders[encoding](text);
  compressed.set(key, bytes);
  return bytes;
};

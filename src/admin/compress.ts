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

/**
 * The encoding for a client by its `accept-encoding`: what it prefers, and of several the best. Undefined if it wants the
 * text as it is, or says nothing.
 */
export const chooseEncoding = (accepted = ''): Encoding | undefined => {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...params] = part.split(';').map((one) => one.trim());
        const weight = params.find((one) => one.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight) || 0];
      }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const names: readonly Encoding[] = ['br', 'gzip'];
  const best = names.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
};

const compressed = new Map<string, Promise<Uint8Array>>();

/** Compresses a file that never changes, once. */
export const compress = (name: string, text: string, encoding: Encoding): Promise<Uint8Array> => {
  const key = `${encoding} ${name}`;
  const bytes = compressed.get(key) ?? encoders[encoding](text);
  compressed.set(key, bytes);
  return bytes;
};

import { messageOf } from '../../core/util/message-of.ts';
import type { ServerOptions } from './server-options.ts';

/** A certificate with its chain, and its private key, both as PEM text. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Checks a certificate and its key. @throws Error if one of them is missing, is not valid PEM, or does not belong to the other */
export const toTlsPair = async ({
  tlsCert: cert,
  tlsKey: key,
}: Pick<ServerOptions, 'tlsCert' | 'tlsKey'>): Promise<TlsPair | undefined> => {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new Error(`${failed} tlsCert (--tls-cert) is missing; tlsKey needs it.`);
  if (key === undefined) throw new Error(`${failed} tlsKey (--tls-key) is missing; tlsCert needs it.`);
  const { createSecureContext } = await import('node:tls');
  const check = (pair: Partial<TlsPair>, problem: string): void => {
    try {
      createSecureContext(pair);
    } catch (error) {
      throw new Error(`${failed} ${problem}: ${messageOf(error)}.`);
    }
  };
  check({ cert }, 'tlsCert is not a certificate in PEM');
  check({ key }, 'tlsKey is not a private key in PEM without a passphrase');
  check({ cert, key }, 'tlsKey is not the key of tlsCert');
  return { cert, key };
};

const failed = 'Failed to serve HTTPS:';

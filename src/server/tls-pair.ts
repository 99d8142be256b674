import { messageOf } from '../util/message-of.ts';

/** A certificate with its chain, and its private key, both as PEM text. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** What error messages call a certificate and its key. */
export interface TlsNames {
  readonly cert: string;
  readonly key: string;
}

/**
 * Checks a certificate and its key.
 *
 * @throws Error if one of them is missing, is not valid PEM, or belongs to another one
 */
export const toTlsPair = async (
  { cert, key }: Partial<Readonly<Record<keyof TlsPair, string | undefined>>>,
  names: TlsNames,
): Promise<TlsPair | undefined> => {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [missing, given] = cert === undefined ? [names.cert, names.key] : [names.key, names.cert];
    throw new Error(`Failed to serve HTTPS: ${missing} is missing. Give it together with ${given}.`);
  }
  const { X509Certificate, createPrivateKey } = await import('node:crypto');
  const read = <Value>(parse: () => Value, what: string): Value => {
    try {
      return parse();
    } catch (error) {
      throw new Error(`Failed to serve HTTPS: ${what}: ${messageOf(error)}.`);
    }
  };
  const certificate = read(() => new X509Certificate(cert), `${names.cert} is not a certificate in PEM`);
  const privateKey = read(
    () => createPrivateKey(key),
    `${names.key} is not a private key in PEM without a passphrase`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error(`Failed to serve HTTPS: ${names.key} is not the key of ${names.cert}.`);
  return { cert, key };
};

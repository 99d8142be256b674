import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { hasCommand } from './missing-tool.ts';

/** A certificate that signs itself, for `localhost` and `127.0.0.1`: its paths, and the texts of its files. */
export interface Certificate {
  readonly certPath: string;
  readonly keyPath: string;
  readonly cert: string;
  readonly key: string;
}

/** Whether there is `openssl`, which makes certificates for tests. */
export const hasOpenssl = (leftOut: string): boolean => hasCommand('openssl', leftOut);

/** Makes a certificate, whose files are there until the test ends. */
export const makeCertificate = (): Certificate => {
  const folder = makeFolder();
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const [name, addresses] = ['/CN=localhost', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', keyPath, '-out', certPath];
  execFileSync('openssl', ['req', '-x509', ...kind, '-subj', name, '-addext', addresses, ...files], {
    stdio: 'ignore',
  });
  return { certPath, keyPath, cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
};

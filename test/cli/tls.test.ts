// --tls-cert and --tls-key.
import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import { hasOpenssl, makeCertificate } from '../support/certificate.ts';
import { runCli } from '../support/run-cli.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

describe.skipIf(!hasOpenssl('the tests of --tls-cert'))('--tls-cert and --tls-key', () => {
  test('serve HTTPS', async () => {
    const { certPath, keyPath, cert } = makeCertificate();
    const cli = await serveCli('--log', 'json', '--tls-cert', certPath, '--tls-key', keyPath);
    expect(cli.baseUrl).toMatch(/^https:/);
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${cli.baseUrl}/batches`, { ca: cert, headers: keys, agent: false }, (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode));
      });
      asked.on('error', reject).end();
    });
    expect(status).toBe(200);
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('are refused with the reason', async () => {
    const [one, other] = [makeCertificate(), makeCertificate()];
    const refuse = async (...options: string[]) => (await runCli('serve', ...options)).stderr;
    expect(await refuse('--tls-cert', one.certPath)).toBe(
      'gateway-mock: Failed to serve HTTPS: tlsKey (--tls-key) is missing; tlsCert needs it.\n',
    );
    expect(await refuse('--tls-cert', '/no/cert.pem', '--tls-key', one.keyPath)).toContain('/no/cert.pem');
    expect(await refuse('--tls-cert', one.keyPath, '--tls-key', one.keyPath)).toContain(
      'tlsCert is not a certificate in PEM',
    );
    expect(await refuse('--tls-cert', one.certPath, '--tls-key', other.keyPath)).toMatch(
      /^gateway-mock: Failed to serve HTTPS: tlsKey is not the key of tlsCert: .+\.\n$/,
    );
  });
});

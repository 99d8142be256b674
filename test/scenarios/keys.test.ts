// One command finds the keys that a session accepts; exec, the banner and the fixtures show those.
import { expect, test } from 'vitest';
import { createGateway, type Scenario } from '../../src/index.ts';
import { createBanner } from '../../src/tools/cli/banner.ts';
import { toEnvironment } from '../../src/tools/cli/exec.ts';

const rotated: Scenario = { keys: { valid: ['old', 'new'], expired: ['old'] } };

test.each<[Scenario['keys'], string, string]>([
  [undefined, 'any', 'any'],
  [{ virtual: ['v1', 'v2'] }, 'any', 'v1'],
  [rotated.keys, 'new', 'any'],
  [{ valid: ['few', 'all'], limited: { few: ['listBatches'] } }, 'all', 'any'],
  [{ valid: ['old', 'few'], expired: ['old'], limited: { few: ['listBatches'] } }, 'few', 'any'],
])('of %j, the keys to use are %s and %s', async (keys, apiKey, virtualKey) => {
  const { scenario, fetch } = createGateway({ scenario: { batches: 1, keys: keys ?? {} } });
  expect(await scenario.keys()).toEqual({ apiKey, virtualKey });
  const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
  expect((await fetch('http://gateway.test/v1/batches', { headers })).status).toBe(200);
});

test('exec and the banner show the key that is accepted', async () => {
  const gateway = createGateway({ scenario: rotated });
  const server = { ...gateway, url: '', baseUrl: 'http://localhost/v1', adminUrl: '', close: async () => {} };
  expect(await toEnvironment(server, undefined)).toMatchObject({ GATEWAY_API_KEY: 'new' });
  const banner = await createBanner(server.baseUrl, server, false);
  expect(banner).toContain("'x-gateway-api-key: new'");
  expect(banner).not.toContain('old');
});

import { expect, test } from 'vitest';
import { createGateway } from '../../index.ts';
import { createBanner } from './banner.ts';

test('the curl line renders the first prompt of the scenario that can be rendered, with its own variables', async () => {
  const gateway = createGateway({
    scenario: {
      prompts: {
        signature: { parameters: {}, string: 'Signed, {{agent}}' },
        letter: { parameters: {}, messages: [{ role: 'user', content: '{{text}} {{>signature}}' }] },
      },
    },
  });
  const banner = await createBanner('http://localhost/v1', gateway, false);
  expect(banner).toContain("curl -s 'http://localhost/v1/prompts/letter/render'");
  expect(banner).toContain('{"variables":{"text":"text","agent":"agent"}}');
  expect(banner).toMatch(/prompts: {2}signature \(agent\)\n +letter \(text, agent; partials: signature\)\n/);
});

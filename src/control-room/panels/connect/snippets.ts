// How an app is connected, for each kind of app, at most twelve lines.
import { baseUrl, session } from '../../connection.ts';
import type { Values } from '../../openapi.ts';

/** @param values the keys, by the names of their headers */
export const toSnippets = (values: Values, scenario: string) => {
  const { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey } = values;
  const { origin, pathname } = new URL(baseUrl);
  return {
    curl: `curl '${baseUrl}/batches?limit=5' \\
  -H 'x-gateway-api-key: ${apiKey}' \\
  -H 'x-gateway-virtual-key: ${virtualKey}'`,
    fetch: `const response = await fetch('${baseUrl}/batches?limit=5', {
  headers: {
    'x-gateway-api-key': '${apiKey}',
    'x-gateway-virtual-key': '${virtualKey}',
  },
});
console.log(await response.json());`,
    'openai JS': `import OpenAI from 'openai';
const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: 'any',
  defaultHeaders: {
    'x-gateway-api-key': '${apiKey}',
    'x-gateway-virtual-key': '${virtualKey}',
  },
});
const page = await client.batches.list({ limit: 5 });
console.log(page.data.map((batch) => batch.id));`,
    'openai Python': `from openai import OpenAI
client = OpenAI(
    base_url="${baseUrl}",
    api_key="any",
    default_headers={
        "x-gateway-api-key": "${apiKey}",
        "x-gateway-virtual-key": "${virtualKey}",
    },
)
print([batch.id for batch in client.batches.list(limit=5)])`,
    '.env': `GATEWAY_BASE_URL=${baseUrl}
GATEWAY_API_KEY=${apiKey}
GATEWAY_VIRTUAL_KEY=${virtualKey}`,
    'Vite proxy': `// vite.config.js: the app calls /v1 of its own origin
export default {
  server: {
    proxy: {
      '/v1': {
        target: '${origin}',${pathname === '/v1' ? '' : `\n        headers: { 'x-mock-session': '${session}' },`}
      },
    },
  },
};`,
    'In the page': `// once: npx msw init public --no-save
if (import.meta.env.DEV) {
  const { setupGateway } = await import('gateway-mock/browser');
  const gateway = setupGateway({ scenario: '${scenario}' });
  await gateway.start({ onUnhandledRequest: 'bypass' });
}
// The page then has a mock of its own, which is not shown here.`,
    Vitest: `import { expect } from 'vitest';
import { test } from 'gateway-mock/vitest';
test('the app lists batches', async ({ gateway }) => {
  const { baseUrl, headers } = gateway;
  const response = await fetch(\`\${baseUrl}/batches\`, { headers });
  expect(response.status).toBe(200);
});
// Each test has a mock of its own, which is not shown here.`,
  };
};

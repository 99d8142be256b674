import { expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';
import { volume } from '../../../../test/support/settings.ts';
import { createAssumptions } from '../../assumptions/marking.ts';
import { readRenderRequest } from './hyperparameters.ts';

test.each([
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  '{"logit_bias":{"__proto__":{"polluted":true}},"tools":[{"__proto__":{"polluted":true}}]}',
])('a key that names a prototype is kept like any other, and reaches none: %s', (sent) => {
  const { assume } = createAssumptions({}).forAnswer();
  const { root } = readRenderRequest({ variables: {}, ...JSON.parse(sent) }, assume);
  expect(JSON.stringify(root)).toBe(sent);
  expect({}).not.toHaveProperty('polluted');
});

test('a list of very many wrong items is refused for its first, quickly', () => {
  const { send } = openGateway({
    scenario: { prompts: { p: { messages: [{ role: 'user', content: 'Hi' }] } } },
  });
  const messages = Array(volume(1_000_000, 20_000)).fill(1);
  const { status, body } = send({ path: '/prompts/p/render', body: { variables: {}, messages } });
  expect(status).toBe(400);
  expect(JSON.parse(body ?? '').error.param).toBe('messages[0]');
});

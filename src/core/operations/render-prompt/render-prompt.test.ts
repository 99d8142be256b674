import { describe, expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';
import { setLimit } from '../../../../test/support/set-limit.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';

const user = (content: string) => ({ messages: [{ role: 'user', content }] });
const chain = Object.fromEntries(
  Array.from({ length: 600 }, (_, at) => [`chain_${at}`, user(at === 599 ? 'end' : `{{>chain_${at + 1}}}`)]),
);
const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `twice_${at}`,
    user(at === 39 ? 'end' : `{{>twice_${at + 1}}}{{>twice_${at + 1}}}`),
  ]),
);

const scenario: Scenario = {
  prompts: {
    empty_sections: user('{{#l}}{{#l}}{{/l}}{{/l}}'),
    full_sections: user('{{#l}}{{#l}}{{#l}}{{v}}{{/l}}{{/l}}{{/l}}'),
    json: user('{{#l}}{{l}}{{/l}}'),
    ...chain,
    ...doubling,
  },
};

describe('a rendering without end is refused quickly', () => {
  const ones = Array(3000).fill(1);
  test.each([
    ['empty sections in one another', 'empty_sections', { l: ones }],
    ['partials that double', 'twice_0', {}],
    ['partials that nest', 'chain_0', {}],
  ])('that of %s', (_title, id, variables) => {
    setLimit('rendering', 100_000);
    const { status, headers } = openGateway({ scenario }).send({
      path: `/prompts/${id}/render`,
      body: { variables },
    });
    expect(status).toBe(400);
    expect(headers['x-mock-assumptions']?.split(', ').slice(-2)).toEqual(['render-size', 'error-body']);
  });
});

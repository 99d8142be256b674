// Integers of any length come back as they were sent, wherever a render takes them (field notes, section 5).

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { Hyperparameters } from '../../src/index.ts';
import { readScenario, writeScenario } from '../../src/node.ts';
import { capture } from '../../src/tools/capture/capture.ts';
import { captureKeys } from '../support/capture-account.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openGateway, openServer } from '../support/open-gateway.ts';
import { policy, scenarioUnder } from '../support/quota-scenarios.ts';
import { tries } from '../support/settings.ts';
import { describeTransports, keys } from '../support/transports.ts';

const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const large = 12345678901234567890123456789012345678n;
const json = { ...keys, 'content-type': 'application/json' };

const scenario: Scenario = {
  prompts: {
    p: { messages: [{ role: 'user', content: '{{v}} {{o}} {{a}} {{#a}}{{.}}{{/a}} {{#o}}{{in.0}}{{/o}}' }] },
  },
};

/** Every place of a render that takes a number, and the reply to it. */
const exchangeOf = (n: bigint) => {
  const root =
    `"seed":${n},"max_tokens":${n},"top_logprobs":${n},"n":${n},"temperature":${n},` +
    `"thinking":{"budget_tokens":${n},"x":${n}},"tools":[{"function":{"parameters":{"maximum":${n}}}}],` +
    `"logit_bias":{"a":${n}},"x":${n},"y":{"z":[[${n}],{"":${n}}]}`;
  const content = `${n} {\\"in\\":[${n}]} [${n}] ${n} ${n}`;
  return {
    sent: `{"variables":{"v":${n},"o":{"in":[${n}]},"a":[${n}]},${root}}`,
    reply: `{"success":true,"data":{${root},"messages":[{"role":"user","content":"${content}"}]}}`,
  };
};

describeTransports('an integer', { scenario }, ({ post }) => {
  test('comes back as it was sent, whatever its length, wherever a render takes it', async () => {
    await fc.assert(
      fc.asyncProperty(integer, async (n) => {
        const { sent, reply } = exchangeOf(n);
        const response = await post('/prompts/p/render', sent);
        expect(await response.text()).toBe(reply);
      }),
      tries(20),
    );
  });

  test('that differs in its last digit alone is another one, and the same one stays the same', async () => {
    const ask = async (n: bigint): Promise<string> =>
      (await post('/prompts/p/render', exchangeOf(n).sent)).text();
    for (const n of [large, large + 1n, large]) expect(await ask(n)).toBe(exchangeOf(n).reply);
  });
});

/** Renders the prompt `p` of a gateway in process. */
const renderOf = (options: Parameters<typeof openGateway>[0], body = '{"variables":{}}'): string =>
  openGateway(options).send({ path: '/prompts/p/render', body }).body ?? '';

test.each([
  ['seed', `{"variables":{"v":${large}},"seed":1.5}`, 'expected an integer, but got a number'],
  ['variables', `{"variables":${large}}`, 'it is a number'],
  ['variables', `{"variables":{"v":${'9'.repeat(400)}}}`, 'that is too large'],
  [null, `{"variables":{"v":${'['.repeat(600)}${large}${']'.repeat(600)}}}`, '500 levels'],
])('a large integer does not keep %s from being checked', (param, sent, words) => {
  const { error } = JSON.parse(renderOf({ scenario }, sent));
  expect(error).toMatchObject({ param, message: expect.stringContaining(words) });
});

describe('in the parameters and the messages of a prompt, an integer', () => {
  const promptOf = (n: bigint) => ({
    parameters: { seed: n, thinking: { budget_tokens: n }, x: [{ y: n }] },
    messages: [{ role: 'user', content: 'Hi', x: n }],
  });
  const replyOf = (n: bigint): string =>
    `{"success":true,"data":{"seed":${n},"thinking":{"budget_tokens":${n}},"x":[{"y":${n}}],"messages":[{"role":"user","content":"Hi","x":${n}}]}}`;

  const textOf = (n: bigint): string =>
    `{"prompts":{"p":{"parameters":{"seed":${n},"thinking":{"budget_tokens":${n}},"x":[{"y":${n}}]},"messages":[{"role":"user","content":"Hi","x":${n}}]}}}`;

  // JSON is YAML, too.
  test.each(['yaml', 'json'])(
    'of a scenario file in %s keeps its digits, when it is written again, too',
    async (ending) => {
      await fc.assert(
        fc.asyncProperty(integer, async (n) => {
          const folder = makeFolder({ [`mine.${ending}`]: textOf(n) });
          const read = await readScenario(`${folder}/mine.${ending}`);
          expect(renderOf({ scenario: read })).toBe(replyOf(n));
          await writeScenario(`${folder}/again.${ending}`, read);
          expect(renderOf({ scenario: await readScenario(`${folder}/again.${ending}`) })).toBe(replyOf(n));
        }),
        tries(20),
      );
    },
  );

  test('written by the control over HTTP keeps its digits, through an export, an import and a fork, too', async () => {
    const server = await openServer({ scenario });
    const control = connect(server.url, { session: 'a' });
    const render = async (id: string, session = 'a'): Promise<string> => {
      const init = { method: 'POST', headers: json, body: '{"variables":{}}' };
      return (await fetch(`${server.url}/sessions/${session}/v1/prompts/${id}/render`, init)).text();
    };
    for (const n of [large, 5n]) {
      const { id } = await control.records.prompts.create(promptOf(n));
      const { parameters } = (await control.records.prompts.get(id)) as { parameters?: Hyperparameters };
      expect(parameters?.seed).toBe(n === large ? n : 5); // a number where one has all digits
      expect(await render(id)).toBe(replyOf(n));
    }
    await control.records.prompts.update('p', promptOf(large));
    expect(await control.state.changes()).toContainEqual({ path: 'prompts.p.parameters.seed', to: large });
    const exported = await control.state.export();
    await control.reset();
    expect(await render('p')).not.toBe(replyOf(large));
    await control.state.import(exported);
    expect(await render('p')).toBe(replyOf(large));
    await control.sessions.create('b', { session: 'a' });
    expect(await render('p', 'b')).toBe(replyOf(large));
  });

  test('of a gateway that is captured keeps its digits', async () => {
    const server = await openServer({ scenario: { prompts: { p: promptOf(large) } } });
    const target = { baseUrl: server.baseUrl, apiKey: captureKeys.apiKey, rate: undefined };
    const { scenario: captured } = await capture(target, { prompt: ['p'], maxRecords: 10 }, true);
    expect(renderOf({ scenario: captured })).toBe(replyOf(large));
  });
});

test('the journal shows the digits of a call and of its reply, and quotas count them', async () => {
  const { gateway, send } = openGateway({
    scenario: {
      ...scenarioUnder(policy(1, { type: 'tokens', unit: 'rpd', value: 1000 })),
      ...scenario,
    },
    assume: { 'hyperparameter-type': 'passed-through' },
  });
  const { sent, reply } = exchangeOf(large);
  expect(send({ path: '/prompts/p/render', body: sent }).body).toBe(reply);
  const [entry] = await gateway.requests.list();
  expect([entry?.body, entry?.reply?.body]).toEqual([sent, reply]);
  await gateway.quotas.refill();
  const body = `{"variables":{},"messages":[{"role":"user","content":${large}}]}`;
  const { headers, body: passed } = send({ path: '/prompts/p/render', body });
  expect(passed).toContain(`"content":${large}}`);
  expect(headers['x-ratelimit-remaining-tokens']).toBe(String(1000 - Math.ceil(38 / 4)));
});

test('the body of a faked reply keeps its digits', () => {
  const { send } = openGateway({ faults: [`listBatches: reply 200 body={"n":${large}}`] });
  expect(send().body).toBe(`{"n":${large}}`);
});

// Integers of any length come back as they were sent, wherever a render takes them (field notes, section 5).

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capture } from '../../src/capture/capture.ts';
import { connect } from '../../src/client.ts';
import { createGateway, type Hyperparameters } from '../../src/index.ts';
import { readScenario, writeScenario } from '../../src/node.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import { startServer } from '../../src/server.ts';
import { captureKeys } from '../support/capture-account.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
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

  test('in messages at the root does, too', async () => {
    const messages = `[{"role":"user","content":"{{v}}","x":{"y":[${large}]}}]`;
    const response = await post('/prompts/p/render', `{"variables":{},"messages":${messages}}`);
    expect(await response.text()).toBe(`{"success":true,"data":{"messages":${messages}}}`);
  });

  test('that differs in its last digit alone is another one, and the same one stays the same', async () => {
    const ask = async (n: bigint): Promise<string> =>
      (await post('/prompts/p/render', exchangeOf(n).sent)).text();
    for (const n of [large, large + 1n, large]) expect(await ask(n)).toBe(exchangeOf(n).reply);
  });

  test.each([
    ['seed', `{"variables":{"v":${large}},"seed":1.5}`, 'expected an integer, but got a number'],
    ['seed', `{"variables":{},"seed":"${large}"}`, 'expected an integer, but got a string'],
    ['model', `{"variables":{},"model":${large}}`, 'expected a string, but got a number'],
    ['variables', `{"variables":${large}}`, 'it is a number'],
    [null, `${large}`, 'it is a number'],
    ['seed', `{"variables":{},"seed":${'9'.repeat(400)}}`, 'a number that is too large'],
    ['variables', `{"variables":{"v":${'9'.repeat(400)}}}`, 'that is too large'],
    [null, `{"variables":{"v":${'['.repeat(600)}${large}${']'.repeat(600)}}}`, '500 levels'],
    [null, `{"variables":{"v":${large}}`, 'not valid JSON'],
  ])('beside or instead of another value does not keep %s from being checked', async (param, sent, words) => {
    const response = await post('/prompts/p/render', sent);
    const { error } = await response.json();
    expect([response.status, error.param]).toEqual([400, param]);
    expect(error.message).toContain(words);
  });
});

describe('in the parameters and the messages of a prompt, an integer', () => {
  const promptOf = (n: bigint) => ({
    parameters: { seed: n, thinking: { budget_tokens: n }, x: [{ y: n }] },
    messages: [{ role: 'user', content: 'Hi', x: n }],
  });
  const replyOf = (n: bigint): string =>
    `{"success":true,"data":{"seed":${n},"thinking":{"budget_tokens":${n}},"x":[{"y":${n}}],"messages":[{"role":"user","content":"Hi","x":${n}}]}}`;

  const renderOf = async (options: Parameters<typeof startServer>[0]): Promise<string> => {
    const server = await startServer(options);
    const init = { method: 'POST', headers: json, body: '{"variables":{}}' };
    const text = await (await fetch(`${server.baseUrl}/prompts/p/render`, init)).text();
    await server.close();
    return text;
  };

  test.each([
    [
      'yaml',
      (n: bigint) => `prompts:
  p:
    parameters: { seed: ${n}, thinking: { budget_tokens: ${n} }, x: [{ y: ${n} }] }
    messages: [{ role: user, content: Hi, x: ${n} }]
`,
    ],
    [
      'json',
      (n: bigint) =>
        `{"prompts":{"p":{"parameters":{"seed":${n},"thinking":{"budget_tokens":${n}},"x":[{"y":${n}}]},"messages":[{"role":"user","content":"Hi","x":${n}}]}}}`,
    ],
  ])('of a scenario file in %s keeps its digits, when it is written again, too', async (ending, textOf) => {
    await fc.assert(
      fc.asyncProperty(integer, async (n) => {
        const folder = makeFolder({ [`mine.${ending}`]: textOf(n) });
        expect(await renderOf({ scenario: `${folder}/mine.${ending}` })).toBe(replyOf(n));
        await writeScenario(`${folder}/again.${ending}`, await readScenario(`${folder}/mine.${ending}`));
        expect(await renderOf({ scenario: `${folder}/again.${ending}` })).toBe(replyOf(n));
      }),
      tries(20),
    );
  });

  test('of a fixture keeps its digits', async () => {
    const folder = makeFolder({
      'mine.yaml': 'prompts: { p: mine }',
      'fixtures/prompts/mine.yaml': `parameters: { seed: ${large} }\nmessages: [{ role: user, content: Hi }]`,
    });
    expect(await renderOf({ scenario: `${folder}/mine.yaml` })).toContain(`"seed":${large},`);
  });

  test('of an object in code is a bigint, and keeps its digits', async () => {
    await fc.assert(
      fc.asyncProperty(integer, async (n) => {
        expect(await renderOf({ scenario: { prompts: { p: promptOf(n) } } })).toBe(replyOf(n));
      }),
      tries(20),
    );
  });

  describe.each([
    ['in process', async (server: Awaited<ReturnType<typeof startServer>>) => server.session('a')],
    [
      'over HTTP',
      async (server: Awaited<ReturnType<typeof startServer>>) => connect(server.url, { session: 'a' }),
    ],
  ])('written by the control %s', (_where, controlOf) => {
    const start = async () => {
      const server = await openServer({ scenario });
      const render = async (id: string, session = 'a'): Promise<string> => {
        const init = { method: 'POST', headers: json, body: '{"variables":{}}' };
        return (await fetch(`${server.url}/sessions/${session}/v1/prompts/${id}/render`, init)).text();
      };
      return { server, control: await controlOf(server), render };
    };

    test('keeps its digits, and is read again as a bigint where no number has them', async () => {
      const { control, render } = await start();
      await fc.assert(
        fc.asyncProperty(integer, async (n) => {
          const { id } = await control.records.prompts.create(promptOf(n));
          const { parameters } = (await control.records.prompts.get(id)) as { parameters?: Hyperparameters };
          expect(parameters?.seed).toBe(String(Number(n)) === String(n) ? Number(n) : n);
          expect(await render(id)).toBe(replyOf(n));
        }),
        tries(20),
      );
    });

    test('keeps them through an update, an export, an import, and a session made of another', async () => {
      const { control, render } = await start();
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

    test('keeps them in the variables of records.prompts.render', async () => {
      const { control } = await start();
      const rendered = await control.records.prompts.render('p', { v: large, o: { in: [large] }, a: [5n] });
      expect(rendered.messages).toEqual([
        { role: 'user', content: `${large} {"in":[${large}]} [5] 5 ${large}` },
      ]);
    });
  });

  test('sent to the admin API as JSON keeps its digits', async () => {
    const server = await openServer({ scenario });
    const init = { method: 'POST', headers: json, body: `{"id":"p","variables":{"v":${large}}}` };
    const reply = await fetch(`${server.adminUrl}/records/prompts/render`, init);
    expect(await reply.text()).toContain(`"content":"${large} `);
  });

  test('of a gateway that is captured keeps its digits', async () => {
    const server = await openServer({ scenario: { prompts: { p: promptOf(large) } } });
    const target = { baseUrl: server.baseUrl, apiKey: captureKeys.apiKey, rate: undefined };
    const { scenario: captured } = await capture(target, { prompt: ['p'], maxRecords: 10 }, true);
    expect(await renderOf({ scenario: captured })).toBe(replyOf(large));
  });
});

test('the journal shows the digits of a call and of its reply, and quotas count them', async () => {
  const server = await openServer({ scenario: { ...scenarioUnder(policy(1)), ...scenario } });
  const { sent, reply } = exchangeOf(large);
  const answer = await fetch(`${server.baseUrl}/prompts/p/render`, {
    method: 'POST',
    headers: json,
    body: sent,
  });
  expect([answer.status, await answer.text()]).toEqual([200, reply]);
  const [entry] = await server.requests.list();
  expect([entry?.body, entry?.reply?.body]).toEqual([sent, reply]);
});

test('quotas count the digits of a content that a lenient gateway passes through', async () => {
  const given = { ...scenarioUnder(policy(1, { type: 'tokens', unit: 'rpd', value: 1000 })), ...scenario };
  const server = await openServer({
    scenario: given,
    assumptions: { 'hyperparameter-type': 'passed-through' },
  });
  const body = `{"variables":{},"messages":[{"role":"user","content":${large}}]}`;
  const reply = await fetch(`${server.baseUrl}/prompts/p/render`, { method: 'POST', headers: json, body });
  expect(await reply.text()).toContain(`"content":${large}}`);
  expect(reply.headers.get('x-ratelimit-remaining-tokens')).toBe(String(1000 - Math.ceil(38 / 4)));
});

test('the body of a faked reply keeps its digits, in a line and in a fixture', async () => {
  const folder = makeFolder({
    'mine.yaml': `faults: ['listBatches#1: reply 200 body={"n":${large}}', 'listBatches: reply 200 fixture=mine']`,
    'fixtures/responses/mine.yaml': `n: [${large}]`,
  });
  const server = await openServer({ scenario: `${folder}/mine.yaml` });
  const read = async (): Promise<string> =>
    (await fetch(`${server.baseUrl}/batches`, { headers: keys })).text();
  expect([await read(), await read()]).toEqual([`{"n":${large}}`, `{"n":[${large}]}`]);
});

test('elsewhere in a scenario, a large integer is a number as before', async () => {
  const folder = makeFolder({
    'mine.yaml': `policies: { records: [{ id: 11111111-1111-4111-8111-111111111111, value: ${large} }] }
batches: { records: [{ id: batch_a, metadata: { n: ${large} } }] }`,
  });
  const gateway = createGateway({ scenario: await readScenario(`${folder}/mine.yaml`) });
  const [batch] = await gateway.records.batches.list();
  const [limit] = await gateway.records.policies.list();
  expect([batch?.metadata, limit?.value]).toEqual([{ n: Number(large) }, Number(large)]);
});

test('the types say that a number may be a bigint', () => {
  const given: Hyperparameters = { seed: large, temperature: 0.5 };
  const seed: number | bigint | undefined = given.seed;
  expect(seed).toBe(large);
});

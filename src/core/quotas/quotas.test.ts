// Properties of quotas, checked against an independent model: what a reply announces is what happens next.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { limitsIn, policy, policyId, render, scenarioUnder } from '../../../test/support/quota-scenarios.ts';
import { tries } from '../../../test/support/settings.ts';
import type { Policy } from '../operations/get-rate-limits-policy/types.ts';

type Given = Pick<Policy, 'type' | 'unit' | 'value' | 'status'> & {
  readonly group_by: { key: 'api_key' | 'provider' }[];
  readonly conditions: { key: 'provider'; value: string }[];
};

interface Caller {
  readonly api_key: string;
  readonly provider: string;
}

type Step = { readonly move: number } | { readonly caller: Caller; readonly characters: number | undefined };

const noon = Date.parse('2026-01-15T12:00:00Z') / 1000;
const lengths = { rpm: 60, rph: 3600, rpd: 86_400 } as const;

const anyPolicy: fc.Arbitrary<Given> = fc.record({
  type: fc.constantFrom('requests', 'tokens'),
  unit: fc.constantFrom('rpm', 'rph', 'rpd'),
  value: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(1.5, 2.75)),
  status: fc.constantFrom('active', 'active', 'active', 'archived'),
  group_by: fc.subarray([{ key: 'api_key' as const }, { key: 'provider' as const }]),
  conditions: fc.constantFrom([], [], [{ key: 'provider' as const, value: 'a' }]),
});

const anyMove = fc.oneof(
  fc.integer({ min: -7200, max: 90_000 }),
  fc.constantFrom(1, 59, 60, 61, 3599, 3600, 86_400, -60, 0.25, 0.999, 59.5),
);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ move: anyMove }) },
  {
    weight: 5,
    arbitrary: fc.record({
      caller: fc.record({ api_key: fc.constantFrom('k1', 'k2'), provider: fc.constantFrom('a', 'b') }),
      characters: fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined }),
    }),
  },
);

const open = (given: readonly Given[]) => {
  const world = openGateway({
    scenario: scenarioUnder(...given.map((one, at) => policy(at, one))),
    assume: {
      'retry-after-cap': 'none',
    },
  });
  const call = ({ api_key, provider }: Caller, characters: number | undefined) =>
    world.send({
      ...(characters !== undefined && render('x'.repeat(characters))),
      headers: { 'x-gateway-api-key': api_key, 'x-gateway-provider': provider },
    });
  return { ...world, call };
};

/** What a policy has left for a call, as the model sees it. */
interface Share {
  readonly key: string;
  readonly window: number;
  readonly used: number;
  readonly cost: number;
  readonly given: Given;
  readonly reset: number;
}

const createModel = (given: readonly Given[]) => {
  const used = new Map<string, { readonly window: number; readonly used: number }>();
  let now = noon;
  const sharesOf = (caller: Caller, characters: number | undefined): Share[] =>
    given.flatMap((one, at) => {
      if (one.status === 'archived' || one.conditions.some(({ key, value }) => caller[key] !== value))
        return [];
      const key = [at, ...one.group_by.map((by) => caller[by.key])].join('/');
      const window = Math.floor(now / lengths[one.unit]);
      const known = used.get(key);
      const cost = one.type === 'requests' ? 1 : Math.ceil((characters ?? 0) / 4);
      const reset = Math.ceil((window + 1) * lengths[one.unit] - now);
      return { key, window, used: known?.window === window ? known.used : 0, cost, given: one, reset };
    });

  return {
    move: (seconds: number): void => {
      now = Math.round((now + seconds) * 1000) / 1000;
    },
    /** The status, when to come again, and for each type the limits that the headers may be those of. */
    call: (caller: Caller, characters: number | undefined) => {
      const before = sharesOf(caller, characters);
      const refusing = before.filter(
        (share) => share.cost > 0 && share.used + share.cost > share.given.value,
      );
      const isRefused = refusing.length > 0;
      const after = isRefused ? before : before.map((share) => ({ ...share, used: share.used + share.cost }));
      if (!isRefused) for (const { key, window, used: next } of after) used.set(key, { window, used: next });
      const limits = (['requests', 'tokens'] as const).flatMap((type) => {
        const all = after.filter((share) => share.given.type === type);
        const refused = refusing.filter((share) => share.given.type === type);
        const left = (share: Share): number => Math.floor(share.given.value - share.used);
        const least = all.filter((share) => left(share) === Math.min(...all.map(left)));
        const reported = refused.length > 0 ? refused : least;
        const reset = Math.max(...reported.map((share) => share.reset));
        const shown = reported.filter((share) => share.reset === reset);
        return shown.length === 0
          ? []
          : [{ type, shown: shown.map((share) => [share.given.value, left(share), reset].join(' ')) }];
      });
      return {
        status: isRefused ? 429 : 200,
        wait: isRefused ? String(Math.max(...refusing.map((share) => share.reset))) : undefined,
        limits,
      };
    },
  };
};

test('every reply is what the model foretells, for any policies, callers and clocks', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPolicy, { maxLength: 4 }),
      fc.array(anyStep, { minLength: 10, maxLength: 40 }),
      async (given, steps) => {
        const { gateway, call } = open(given);
        const model = createModel(given);
        for (const step of steps) {
          if ('move' in step) {
            await gateway.clock.advance(step.move);
            model.move(step.move);
            continue;
          }
          const reply = call(step.caller, step.characters);
          const expected = model.call(step.caller, step.characters);
          expect([reply.status, reply.headers['retry-after']]).toEqual([expected.status, expected.wait]);
          if (reply.status === 429) refused += 1;
          const reported = limitsIn(reply);
          expect(Object.keys(reported)).toHaveLength(expected.limits.length * 3);
          for (const { type, shown } of expected.limits)
            expect(shown).toContain(
              ['limit', 'remaining', 'reset'].map((what) => reported[`${what}-${type}`]).join(' '),
            );
        }
      },
    ),
    tries(150),
  );
  expect(refused).toBeGreaterThan(0); // so that the test is one of refusals, too
});

test('a call that two limits refuse gets the headers of the later reset, even if the other limit has less left', () => {
  const { send } = openGateway({
    scenario: scenarioUnder(
      policy(1, { type: 'tokens', unit: 'rpm', value: 2 }),
      policy(2, { type: 'tokens', unit: 'rph', value: 3 }),
    ),
    assume: { 'retry-after-cap': 'none' },
  });
  const refused = send(render('x'.repeat(16)));
  expect(refused.headers['retry-after']).toBe('3600');
  expect(limitsIn(refused)).toEqual({ 'limit-tokens': '3', 'remaining-tokens': '3', 'reset-tokens': '3600' });
  expect(refused.body).toContain(policyId(2));
});

test('a call that takes no tokens is answered even if more than the limit is used', () => {
  const use = { policy: policyId(1), group: [], window: noon, used: 5 };
  const { send, statuses } = openGateway({
    scenario: {
      ...scenarioUnder(policy(1, { type: 'tokens', value: 2 })),
      quotas: { enforced: true, used: [use] },
    },
  });
  expect(statuses(2)).toEqual([200, 200]);
  expect(send(render('x')).status).toBe(429);
});

import type { Scenario } from '../scenario/schema.ts';

/** Sections in one another. */
const deep = (depth: number, text: string): string =>
  `${'{{#a}}'.repeat(depth)}${text}${'{{/a}}'.repeat(depth)}`;

/** A policy of the default scenario. */
export const activePolicy = '11111111-1111-4111-8111-111111111111';

/** The scenarios that the cases are answered by. */
export const scenarios = {
  default: { extends: 'default' },
  guarded: {
    extends: 'default',
    keys: {
      valid: ['a-valid-key'],
      expired: ['an-expired-key'],
      limited: { 'a-key-for-batches': ['listBatches'], 'a-key-for-runs': ['listRuns'] },
      virtual: ['a-valid-virtual-key'],
    },
  },
  limited: {
    extends: 'default',
    quotas: true,
    policies: {
      records: [
        { id: activePolicy, name: 'One a minute', type: 'requests', unit: 'rpm', value: 1, status: 'active' },
      ],
    },
  },
  odd: {
    extends: 'default',
    prompts: {
      prompt_circle: { messages: [{ role: 'user', content: '{{>prompt_circle}}' }] },
      prompt_deep: { messages: [{ role: 'user', content: deep(300, '{{>prompt_deeper}}') }] },
      prompt_deeper: { messages: [{ role: 'user', content: deep(300, 'the bottom') }] },
    },
  },
} as const satisfies Readonly<Record<string, Scenario>>;

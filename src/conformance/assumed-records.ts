// Assumptions about states, policy keys and renderings.

import type * as z from 'zod';
import { batchSchema } from '../operations/list-batches/contract.ts';
import { batchLifecycle } from '../operations/list-batches/lifecycle.ts';
import { runSchema } from '../operations/list-runs/contract.ts';
import { runLifecycle } from '../operations/list-runs/lifecycle.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import { batchStates, runStates } from '../protocol/record-states.ts';
import { finalStates } from '../world/lifecycle.ts';
import { findOtherUnit } from './assumed-fields.ts';
import { type AssumptionCheck, chooseByStatus } from './assumption-check.ts';
import { fieldOf, itemsOf, policyCall, readData, readObject, renderCall } from './calls.ts';
import { type CheckTarget, describeCall, formatValue, NotCheckable } from './check.ts';
import { findBatchMistakes } from './contradictions/batches.ts';
import { findRunMistakes } from './contradictions/runs.ts';
import { batches, runs, type SeenRecord } from './lists.ts';
import { contentsOf, sentMessages } from './renderings.ts';
import { findTexts } from './texts.ts';
import { type Walk, walkLarge } from './walk.ts';

/** The record with null for missing fields, as `contradictions/` expects it. */
const withNulls = (fields: object, record: SeenRecord): object => ({
  ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])),
  ...record,
});

const ended = [...finalStates(runLifecycle), ...finalStates(batchLifecycle)];

/**
 * A time at which the record may be in its state, since the target's clock is unknown: for an ended record any time, for
 * others the latest of their timestamps.
 */
const timeOf = (record: SeenRecord): number => {
  if (ended.includes(String(record.status))) return Number.POSITIVE_INFINITY;
  const times = Object.entries(record).flatMap(([name, value]) =>
    /_at$/.test(name) && name !== 'expires_at' && typeof value === 'number' ? [value] : [],
  );
  return Math.max(...times);
};

/** Finds the first record whose state the mock does not know, or whose fields do not fit its state. */
const compareStates = <Shape extends z.core.$ZodShape>(
  { request, records }: Walk,
  states: readonly string[],
  schema: z.ZodObject<Shape>,
  findMistakes: (record: z.output<z.ZodObject<Shape>>, now: number) => Iterable<string>,
) => {
  if (records.length === 0) throw new NotCheckable('the list is empty.');
  for (const record of records) {
    if (findOtherUnit(record) !== undefined)
      throw new NotCheckable('some timestamps are not in seconds: see assumed:timestamp-unit.');
    const status = String(record.status);
    if (!states.includes(status))
      return { request, value: 'any', actual: `${record.id}: unknown status ${formatValue(status)}` };
    const { success, data } = schema.safeParse(withNulls(schema.shape, record));
    const mistakes = success ? [...findMistakes(data, timeOf(record))] : []; // the check of the schema reports why
    if (mistakes.length > 0)
      return { request, value: undefined, actual: `${record.id}: ${mistakes.join(', ')}` };
  }
  return { request, value: 'known', actual: 'the same states' };
};

const knownKeys = /^(?:api_key|workspace_id|organisation_id|metadata\..+)$/;

const keysOf = (policy: unknown): string[] =>
  ['conditions', 'group_by']
    .flatMap((name) => itemsOf(policy, name))
    .map((item) => String(fieldOf(item, 'key')));

/** @throws NotCheckable if the unchanged prompt is not rendered */
const expectRendering = async ({ call, samples }: CheckTarget): Promise<void> => {
  const reply = await call(renderCall(samples));
  if (reply.status !== 200) throw new NotCheckable(`rendering the prompt returned ${reply.status}.`);
};

export const assumedRecords = {
  'run-states': {
    needs: runs.needs,
    observe: async (target) =>
      compareStates(await walkLarge(target, runs), runStates, runSchema, findRunMistakes),
  },
  'batch-states': {
    needs: batches.needs,
    observe: async (target) =>
      compareStates(await walkLarge(target, batches), batchStates, batchSchema, findBatchMistakes),
  },
  'policy-keys': {
    needs: ['policy'],
    observe: async (target) => {
      const call = policyCall(target.samples.policy ?? '', 'active');
      const keys = keysOf(await readObject(target, call));
      if (keys.length === 0) throw new NotCheckable('the policy has neither conditions nor group_by.');
      const unknown = keys.filter((key) => !knownKeys.test(key));
      return {
        request: describeCall(call),
        value: unknown.length === 0 ? 'known' : undefined,
        actual: `the keys ${formatValue(unknown.length === 0 ? keys : unknown)}`,
      };
    },
  },
  'missing-variable': {
    needs: ['prompt', 'variables'],
    observe: async (target) => {
      if (findTexts(target.samples.variables).length === 0)
        throw new NotCheckable('the variables have no text.');
      await expectRendering(target);
      const call = renderCall({ ...target.samples, variables: {} });
      return chooseByStatus(target, call, { 200: 'empty', 400: '400' });
    },
  },
  'root-messages': {
    needs: ['prompt'],
    observe: async (target) => {
      await expectRendering(target);
      const { request, data } = await readData(target, { messages: sentMessages });
      const texts = contentsOf(data);
      const [system, user] = sentMessages.map(({ content }) => content);
      const isIgnored = !texts.includes(user);
      // The check render-system-message looks at the system message.
      const isReplaced = !isIgnored && texts.every((text) => text === system || text === user);
      return {
        request: `${request} with messages`,
        value: isReplaced ? 'replace-template' : isIgnored ? 'template-wins' : undefined,
        actual: `${texts.length} messages, ${isIgnored ? 'without' : 'with'} the sent ones`,
      };
    },
  },
  'prompt-version': {
    needs: ['prompt'],
    observe: async (target) => {
      await expectRendering(target);
      const { prompt = '' } = target.samples;
      if (prompt.includes('@')) throw new NotCheckable('the id of the prompt already has a version suffix.');
      const call = renderCall({ ...target.samples, prompt: `${prompt}@latest` });
      return chooseByStatus(target, call, { 200: 'suffix' });
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;

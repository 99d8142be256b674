// The states, keys and renderings of the mock where the contract is silent, and those of a target.
import { batchSchema } from '../operations/list-batches/contract.ts';
import { findBatchMistakes } from '../operations/list-batches/invariants.ts';
import { runSchema } from '../operations/list-runs/contract.ts';
import { findRunMistakes } from '../operations/list-runs/invariants.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import { findOtherUnit } from './assumed-fields.ts';
import { type AssumptionCheck, chooseByStatus } from './assumption-check.ts';
import { fieldOf, isObject, policyCall, readObject, renderCall } from './calls.ts';
import { describeCall, NotCheckable, show, type Target } from './check.ts';
import { batches, runs, type SeenRecord } from './lists.ts';
import { sentMessages } from './renderings.ts';
import { findTexts } from './texts.ts';
import { type Walk, walkLarge } from './walk.ts';

/** The record with null for what is missing, as the invariants take it. */
const withNulls = (fields: object, record: SeenRecord): object => ({
  ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])),
  ...record,
});

const ended = ['cancelled', 'failed', 'completed', 'incomplete', 'expired'];

/**
 * A moment at which the record may be as it is: the clock of a target is not known. What has ended stays so for ever;
 * what has not is taken to have been read as soon as its last step was taken.
 */
const momentOf = (record: SeenRecord): number => {
  if (ended.includes(String(record.status))) return Number.POSITIVE_INFINITY;
  const times = Object.entries(record).flatMap(([name, value]) =>
    /_at$/.test(name) && name !== 'expires_at' && typeof value === 'number' ? [value] : [],
  );
  return Math.max(...times);
};

/** The first record that contradicts the states of the mock. */
const compareStates = (
  { asked, records }: Walk,
  findMistakes: (record: SeenRecord, now: number) => Iterable<string> | undefined,
  value: string,
) => {
  if (records.length === 0) throw new NotCheckable('the list is empty.');
  for (const record of records) {
    if (findOtherUnit(record) !== undefined)
      throw new NotCheckable('not all timestamps are in seconds: see assumed:timestamp-unit.');
    const mistakes = [...(findMistakes(record, momentOf(record)) ?? [])];
    if (mistakes.length > 0) return { asked, value: undefined, came: `${record.id}: ${mistakes.join(', ')}` };
  }
  return { asked, value, came: 'the same states' };
};

const knownKeys =
  /^(?:api_key|workspace_id|organisation_id|virtual_key|provider|config|model|prompt|metadata\..+)$/;

const keysOf = (policy: unknown): string[] =>
  ['conditions', 'group_by'].flatMap((name) => {
    const items = fieldOf(policy, name);
    return Array.isArray(items) ? items.map((item) => String(fieldOf(item, 'key'))) : [];
  });

/** @throws NotCheckable where the prompt is not even rendered as it is */
const expectRendering = async ({ call, samples }: Target): Promise<void> => {
  const reply = await call(renderCall(samples));
  if (reply.status !== 200) throw new NotCheckable(`the prompt is answered by ${reply.status}.`);
};

export const assumedRecords = {
  'run-states': {
    needs: runs.needs,
    look: async (target) =>
      compareStates(
        await walkLarge(target, runs),
        (record, now) => {
          const { success, data } = runSchema.safeParse(withNulls(runSchema.shape, record));
          return success ? findRunMistakes(data, now) : undefined; // the schema's law tells what is wrong
        },
        'nine',
      ),
  },
  'batch-states': {
    needs: batches.needs,
    look: async (target) =>
      compareStates(
        await walkLarge(target, batches),
        (record, now) => {
          const { success, data } = batchSchema.safeParse(withNulls(batchSchema.shape, record));
          return success ? findBatchMistakes(data, now) : undefined;
        },
        'eight',
      ),
  },
  'policy-keys': {
    needs: ['policy'],
    look: async (target) => {
      const call = policyCall(target.samples.policy ?? '', 'active');
      const keys = keysOf(await readObject(target, call));
      if (keys.length === 0) throw new NotCheckable('the policy has neither conditions nor group_by.');
      const unknown = keys.filter((key) => !knownKeys.test(key));
      return {
        asked: describeCall(call),
        value: unknown.length === 0 ? 'known' : undefined,
        came: `the keys ${show(unknown.length === 0 ? keys : unknown)}`,
      };
    },
  },
  'missing-variable': {
    needs: ['prompt', 'variables'],
    look: async (target) => {
      if (findTexts(target.samples.variables).length === 0)
        throw new NotCheckable('there is no text among the variables.');
      await expectRendering(target);
      const call = renderCall({ ...target.samples, variables: {} });
      return chooseByStatus(target, call, { 200: 'empty', 400: '400' });
    },
  },
  'root-messages': {
    needs: ['prompt'],
    look: async (target) => {
      await expectRendering(target);
      const call = renderCall(target.samples, { messages: sentMessages });
      const messages = fieldOf(fieldOf(await readObject(target, call), 'data'), 'messages');
      const texts = Array.isArray(messages) ? messages.filter(isObject).map((one) => one.content) : [];
      const [system, user] = sentMessages.map(({ content }) => content);
      const isIgnored = !texts.includes(user);
      // Whether the system message is among them is a check of its own: render-system-message.
      const isReplaced = !isIgnored && texts.every((text) => text === system || text === user);
      return {
        asked: `${describeCall(call)} with messages`,
        value: isReplaced ? 'replace-template' : isIgnored ? 'template-wins' : undefined,
        came: `${texts.length} messages, ${isIgnored ? 'without' : 'with'} those that were sent`,
      };
    },
  },
  'prompt-version': {
    needs: ['prompt'],
    look: async (target) => {
      await expectRendering(target);
      const { prompt = '' } = target.samples;
      if (prompt.includes('@')) throw new NotCheckable('the prompt has a suffix already.');
      const call = renderCall({ ...target.samples, prompt: `${prompt}@latest` });
      return chooseByStatus(target, call, { 200: 'suffix' });
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;

import type { Policy } from '../operations/get-rate-limits-policy/types.ts';
import { prompts } from '../operations/render-prompt/record.ts';
import { checkKnownKey } from '../protocol/auth.ts';
import { messageOf } from '../util/message-of.ts';
import { matchesPattern } from '../util/pattern.ts';
import type { World } from '../world/world.ts';
import { anyValue, subjectKeys } from './subject.ts';

/** Describes why no call can match the conditions and groups of a policy, in a sentence; null if a call can. */
export const findNever = (policy: Policy, world: World): string | null => {
  for (const { key } of [...(policy.conditions ?? []), ...(policy.group_by ?? [])])
    if (!subjectKeys.some((pattern) => matchesPattern(pattern, key)))
      return `No call has a value for the key "${key}" of a condition or group. The keys are ${subjectKeys.join(', ')}.`;
  const values = new Map<string, string>();
  for (const { key, value } of policy.conditions ?? []) {
    if (value === anyValue) continue;
    if ((values.get(key) ?? value) !== value)
      return `Two conditions on "${key}" have different values: no call meets both.`;
    values.set(key, value);
    const reason = findUnmet(policy, key, value, world);
    if (reason !== undefined) return `No call meets the condition on "${key}": ${reason}.`;
  }
  return null;
};

/** Why no call has this value for a key; undefined if one can have it. */
const findUnmet = (policy: Policy, key: string, value: string, world: World): string | undefined => {
  switch (key) {
    case 'workspace_id':
    case 'organisation_id':
      if (value === policy[key]) return undefined;
      return `callers belong to the policy's own ${key}, which is ${policy[key]}`;
    case 'prompt': {
      const list = world.list(prompts);
      const hasPrompt = list?.has(value) || list?.has(value.replace(/@[^@]*$/, '')); // a version may follow the id
      return hasPrompt ? undefined : `there is no prompt "${value}"`;
    }
    case 'api_key':
      return findRefusal(value, world);
    default:
      return undefined;
  }
};

/** Why calls with this API key are refused. */
const findRefusal = (apiKey: string, world: World): string | undefined => {
  try {
    checkKnownKey(() => apiKey, world.keys, world.assumptions.choiceOf);
    return undefined;
  } catch (error) {
    return `calls with this key are refused (${messageOf(error).replace(/\.$/, '')})`;
  }
};

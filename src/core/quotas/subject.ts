import type { Policy } from '../operations/get-rate-limits-policy/types.ts';
import type { QuotaSubject } from '../operations/operation.ts';
import type { Call } from '../protocol/call.ts';
import { toJsonText } from '../util/json.ts';
import { ownValue } from '../util/mapping.ts';
import { maskCredential } from '../util/mask.ts';
import { hash, toHex } from '../world/hash.ts';

/** The parts of a call and its reply that quotas depend on. */
export interface Subject extends QuotaSubject {
  readonly header: Call['header'];
  readonly apiKey: string;
}

/** In a condition, `*` matches every value that a call has. */
export const anyValue = '*';

/** The longest value that is stored without a fingerprint. */
const longestValue = 200;

/** The keys of `conditions` and `group_by` for which a call can have a value. */
export const subjectKeys: readonly string[] = [
  ...['api_key', 'virtual_key', 'provider', 'config', 'workspace_id', 'organisation_id', 'prompt', 'model'],
  'metadata.*',
];

/** The value of a call for a key of `conditions` or `group_by`; undefined if it has none. */
export const valueFor = (
  key: string,
  { header, apiKey, prompt, model }: Subject,
  policy: Policy,
): string | undefined => {
  switch (key) {
    case 'api_key':
      return apiKey;
    case 'virtual_key':
    case 'provider':
    case 'config':
      return header(`x-gateway-${key.replace('_', '-')}`);
    case 'workspace_id':
    case 'organisation_id':
      return policy[key]; // the caller belongs to the policy's account
    case 'prompt':
      return prompt;
    case 'model':
      return typeof model === 'string' ? model : undefined;
    default:
      return key.startsWith('metadata.') ? metadataIn(header, key.slice('metadata.'.length)) : undefined;
  }
};

/**
 * The value by which a call is grouped. A credential is replaced by its mask and a fingerprint, so that no scenario
 * contains it, and a long value by a fingerprint, since a world stores many values.
 */
export const groupValue = (key: string, subject: Subject, policy: Policy): string => {
  const value = valueFor(key, subject, policy) ?? '';
  const isCredential = ['api_key', 'virtual_key', 'config'].includes(key);
  if (value === '' || (!isCredential && value.length <= longestValue)) return value;
  const fingerprint = `key_${[1, 2].map((salt) => toHex(hash(value, salt))).join('')}`;
  return isCredential ? `${maskCredential(value)} ${fingerprint}` : fingerprint;
};

/** The tokens that a call costs: one per 4 characters of the rendered messages, rounded up. Lists cost none. */
export const tokensOf = ({ messages }: Subject): number => {
  if (!Array.isArray(messages)) return 0;
  let characters = 0;
  for (const message of messages) {
    const content: unknown = Object(message).content ?? '';
    const text = typeof content === 'string' ? content : toJsonText(content);
    for (const _ of text) characters += 1;
  }
  return Math.ceil(characters / 4);
};

const metadataIn = (header: Call['header'], name: string): string | undefined => {
  try {
    const value: unknown = ownValue(Object(JSON.parse(header('x-gateway-metadata') ?? '')), name);
    return value === undefined || value === null ? undefined : String(value);
  } catch {
    return undefined;
  }
};

import type { Assume } from '../assumptions/table.ts';
import { truncate } from '../util/truncate.ts';
import { refuse } from './refuse.ts';

/** The API keys and virtual keys that one world accepts. */
export interface Keys {
  /** The accepted API keys. Default: any value that is not empty. */
  readonly valid?: readonly string[] | undefined;
  /** The API keys that have expired: calls with them get 401. */
  readonly expired?: readonly string[] | undefined;
  /** The API keys whose budget is used up: calls with them get 412. */
  readonly exhausted?: readonly string[] | undefined;
  /** The API keys that are limited to some operations: by key, the ids of these operations. */
  readonly limited?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The accepted virtual keys. Default: any value that is not empty. */
  readonly virtual?: readonly string[] | undefined;
}

type Header = (name: string) => string | undefined;

/** Checks `x-gateway-api-key`, which every operation requires (contract: Authentication). */
export const checkApiKey = (header: Header, keys: Keys, operationId: string, assume: Assume): void => {
  checkKnownKey(header, keys, assume);
  const served = limitsOf(apiKeyOf(header, assume), keys);
  if (served !== undefined && !served.includes(operationId))
    refuse('forbidden-api-key', {
      message: `This API key may not call ${operationId}. It may call: ${served.join(', ') || 'nothing'}.`,
      code: '033',
    });
};

/** Checks that a call has an API key that some operation accepts. */
export const checkKnownKey = (header: Header, keys: Keys, assume: Assume): void => {
  const key = apiKeyOf(header, assume);
  const invalid = { message: 'Invalid API Key', code: '03' };
  if (key === '')
    refuse('missing-api-key', {
      ...invalid,
      message: `${invalid.message}: the header x-gateway-api-key is missing or empty. Send it with each call, as x-gateway-api-key: KEY.`,
    });
  if (keys.expired?.includes(key)) refuse('expired-api-key', { message: 'Expired API Key', code: '01' });
  if (keys.exhausted?.includes(key))
    refuse('exhausted-api-key', { message: 'The budget of this API key is used up.', code: '04' });
  if (limitsOf(key, keys) !== undefined) return;
  if (assume('api-keys') === 'listed' && !keys.valid?.includes(key)) refuse('unknown-api-key', invalid);
};

/** The operations that an API key is limited to; undefined if it is not limited. */
const limitsOf = (key: string, { limited }: Keys): readonly string[] | undefined =>
  limited && Object.hasOwn(limited, key) ? limited[key] : undefined;

/** The API key of a call; `''` if it has none. */
export const apiKeyOf = (header: Header, assume: Assume): string => {
  const key = header('x-gateway-api-key') ?? '';
  if (!isBlank(key)) return key;
  const [, token = ''] = /^bearer\s+(.*)$/i.exec(header('authorization') ?? '') ?? [];
  return assume('bearer') === 'api-key' ? token : '';
};

/** The headers that today's clients send in place of a virtual key. */
const standIns = ['x-gateway-provider', 'x-gateway-config'];

/** Checks `x-gateway-virtual-key`, for operations that require it (contract: Authentication, rule 2). */
export const checkVirtualKey = (header: Header, keys: Keys, assume: Assume): void => {
  const key = header('x-gateway-virtual-key') ?? '';
  if (isBlank(key)) {
    const choice = assume('missing-virtual-key');
    if (choice === 'ignored') return;
    if (choice === 'stand-in' && standIns.some((name) => !isBlank(header(name) ?? ''))) return;
    refuse('missing-virtual-key', {
      message:
        'The header x-gateway-virtual-key is required: it names the provider credential to use. Send it with each call, as x-gateway-virtual-key: KEY.',
      param: 'x-gateway-virtual-key',
    });
  }
  if (keys.virtual === undefined || keys.virtual.includes(key)) return;
  if (assume('unknown-virtual-key') === 'ignored') return;
  refuse('unknown-virtual-key', {
    message: `Following keys are not valid: ${truncate(key)}`,
    param: 'x-gateway-virtual-key',
  });
};

/** Whether a header is empty. An empty header that is sent twice arrives as `, `. */
const isBlank = (value: string): boolean => /^[\s,]*$/.test(value);

/** Checks the beta header of the run list. */
export const checkBetaHeader = (header: Header, assume: Assume): void => {
  if (assume('beta-header') === 'accepted') return;
  if (!hasBetaHeader(header))
    refuse('beta-header', {
      message: "This list needs the header 'OpenAI-Beta: assistants=v2' (or 'Vendor-Beta: assistants=v2').",
      code: 'invalid_beta',
    });
};

/** Whether a call has the beta header of the run list (contract: Versioning). */
export const hasBetaHeader = (header: Header): boolean =>
  (header('vendor-beta') ?? header('openai-beta')) === 'assistants=v2';

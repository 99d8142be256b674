import { loadScenario } from '../scenario/load.ts';
import { createHideKeys } from '../util/mask.ts';
import { messageOf } from '../util/message-of.ts';
import { readAccount, type Wanted } from './account.ts';
import { CaptureError, createAsk, type GatewayAddress } from './gateway-client.ts';
import { hideAccount } from './hide-account.ts';
import { hideKeysIn } from './hide-keys-in.ts';
import { createReplacements } from './replacements.ts';
import { type Captured, toScenario } from './to-scenario.ts';

/** How much was captured, for those who wait. */
export interface CaptureResult extends Captured {
  /** How many records and prompts there are. */
  readonly size: number;
  /** How many different ids and texts were replaced. */
  readonly replaced: number;
}

/**
 * Reads an account of a gateway, and makes a scenario of it that loads.
 *
 * @param isRaw whether ids and texts stay as they are
 * @throws CaptureError where the gateway cannot be reached, refuses, or answers with something else than the contract's
 */
export const capture = async (
  target: GatewayAddress,
  wanted: Wanted,
  isRaw: boolean,
): Promise<CaptureResult> => {
  const read = await readAccount(createAsk(target), wanted);
  const replacements = createReplacements();
  const account = isRaw ? read : hideAccount(read, replacements);
  const hide = createHideKeys([target.apiKey, target.virtualKey]);
  const captured = hideKeysIn(toScenario(account), hide);
  try {
    loadScenario(structuredClone(captured.scenario));
  } catch (error) {
    throw new CaptureError(`failed to make a scenario of what was answered: ${messageOf(error)}`);
  }
  const lists = [
    ...account.threads.values(),
    ...account.jobs.values(),
    ...(account.batches ? [account.batches] : []),
  ];
  const size =
    lists.reduce((sum, { records }) => sum + records.length, 0) +
    account.policies.size +
    account.prompts.size;
  return { ...captured, size, replaced: replacements.count() };
};

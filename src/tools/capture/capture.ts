import { loadScenario } from '../../core/scenario/load.ts';
import { mapTexts } from '../../core/util/mapping.ts';
import { createHideKeys } from '../../core/util/mask.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { hideAccount, readAccount, type Wanted } from './account.ts';
import { CaptureError, createAsk, type GatewayAddress } from './gateway-client.ts';
import { createReplacements } from './replacements.ts';
import { type Captured, toScenario } from './to-scenario.ts';

/** A captured scenario, and how much it has. */
export interface CaptureResult extends Captured {
  /** The number of records and prompts. */
  readonly size: number;
  /** The number of different ids and texts that were replaced. */
  readonly replaced: number;
}

/**
 * Reads an account of a gateway and converts it into a valid scenario.
 *
 * @param isRaw whether to keep ids and texts
 * @throws CaptureError if the gateway cannot be reached, refuses a call, or does not answer as in the contract
 */
export const capture = async (
  target: GatewayAddress,
  wanted: Wanted,
  isRaw: boolean,
): Promise<CaptureResult> => {
  const read = await readAccount(createAsk(target), wanted, target.virtualKey !== undefined);
  const replacements = createReplacements();
  const account = isRaw ? read : hideAccount(read, replacements);
  const hide = createHideKeys([target.apiKey, target.virtualKey]);
  const captured = mapTexts(toScenario(account), hide, hide) as Captured; // the shape is the same
  try {
    loadScenario(structuredClone(captured.scenario));
  } catch (error) {
    throw new CaptureError(`failed to create a valid scenario from the replies: ${messageOf(error)}`);
  }
  const { lists, policies, prompts } = account;
  const size = lists.flatMap(({ records }) => records).length + policies.size + prompts.size;
  return { ...captured, size, replaced: replacements.count() };
};

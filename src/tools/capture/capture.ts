import { loadScenario } from '../../core/scenario/load.ts';
import { mapTexts } from '../../core/util/mapping.ts';
import { createHideKeys } from '../../core/util/mask.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { type AccountSelection, hideAccount, readAccount } from './account.ts';
import { createAsk, type GatewayAddress } from './gateway-client.ts';
import { createReplacements } from './replacements.ts';
import { type CapturedScenario, toScenario } from './to-scenario.ts';

/** A captured scenario, and how much it has. */
export type CaptureResult = Awaited<ReturnType<typeof capture>>;

/**
 * Reads an account of a gateway and converts it into a valid scenario.
 *
 * @param isRaw whether to keep ids and texts
 * @throws Error if the gateway cannot be reached, refuses a call, or does not answer as in the contract
 */
export const capture = async (target: GatewayAddress, selection: AccountSelection, isRaw: boolean) => {
  const masked: string[] = [];
  const ask = createAsk({ ...target, onMask: (path) => masked.push(path) });
  const read = await readAccount(ask, selection, target.virtualKey !== undefined);
  const replacements = createReplacements();
  const account = isRaw ? read : hideAccount(read, replacements);
  const hideKeys = createHideKeys([target.apiKey, target.virtualKey]);
  const hide = (text: string): string => {
    const hidden = hideKeys(text);
    if (hidden !== text) masked.push('a text with one of the keys');
    return hidden;
  };
  const captured = mapTexts(toScenario(account), hide, hide) as CapturedScenario; // the object has the same shape
  try {
    loadScenario(structuredClone(captured.scenario));
  } catch (error) {
    throw new Error(`failed to create a valid scenario from the replies: ${messageOf(error)}`);
  }
  const { policies, prompts } = captured.scenario;
  const size =
    account.lists.flatMap(({ records }) => records).length +
    (policies?.records ?? []).length +
    Object.keys(prompts ?? {}).length;
  return {
    ...captured,
    /** The number of records and prompts. */
    size,
    /** The number of different ids and texts that were replaced. */
    replaced: replacements.count(),
    /** The paths of the values that were masked as credentials, each as often as it occurred. */
    masked,
  };
};

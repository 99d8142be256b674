import { mapTexts } from '../conformance/texts.ts';
import { createIsCredential, type IsCredential } from '../protocol/credentials.ts';
import { loadScenario } from '../scenario/load.ts';
import { isMapping } from '../util/mapping.ts';
import { createHideKeys, maskCredential } from '../util/mask.ts';
import { messageOf } from '../util/message-of.ts';
import { listsOf, readAccount, type Wanted } from './account.ts';
import { CaptureError, createAsk, type GatewayAddress } from './gateway-client.ts';
import { hideAccount } from './hide-account.ts';
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
 * @param mask more names of fields whose values are credentials
 * @throws CaptureError if the gateway cannot be reached, refuses a call, or does not answer as in the contract
 */
export const capture = async (
  target: GatewayAddress,
  wanted: Wanted,
  isRaw: boolean,
  mask: readonly string[] = [],
): Promise<CaptureResult> => {
  const read = await readAccount(createAsk(target), wanted);
  const replacements = createReplacements();
  const account = isRaw ? read : hideAccount(read, replacements);
  const hide = createHideKeys([target.apiKey, target.virtualKey], { inBase64: true });
  const masked = hideFieldsNamed(toScenario(account), createIsCredential(mask));
  const captured = mapTexts(masked, hide, hide) as Captured; // the shape is the same
  try {
    loadScenario(structuredClone(captured.scenario));
  } catch (error) {
    throw new CaptureError(`failed to create a valid scenario from the replies: ${messageOf(error)}`);
  }
  const { policies, prompts } = account;
  const size = listsOf(account).flatMap(({ records }) => records).length + policies.size + prompts.size;
  return { ...captured, size, replaced: replacements.count() };
};

/**
 * Masks the texts of fields that have the name of a credential, and of lists in them. An object stays, since the id of a prompt
 * may be such a name; a field `key` too, since conditions have one.
 */
const hideFieldsNamed = (value: unknown, isCredential: IsCredential, isNamed = false): unknown => {
  if (typeof value === 'string') return isNamed && value !== '' ? maskCredential(value) : value;
  if (Array.isArray(value)) return value.map((item) => hideFieldsNamed(item, isCredential, isNamed));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      hideFieldsNamed(inner, isCredential, name !== 'key' && isCredential(name)),
    ]),
  );
};

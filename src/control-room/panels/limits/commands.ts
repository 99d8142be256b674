import { filterByText, type PanelCommands, toCommand } from '../../commands.ts';
import { control } from '../../connection.ts';

export const enforce = toCommand('Enforce the limits', () => control.quotas.enforce());
export const lift = toCommand('Stop enforcing the limits', () => control.quotas.lift());
export const refill = toCommand('Refill all limits', () => control.quotas.refill());

export const commands: PanelCommands = {
  match: (text) => filterByText(text, [enforce, lift, refill]),
};

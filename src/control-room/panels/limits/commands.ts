import type { QuotaInfo } from '../../../core/quotas/quotas.ts';
import { type Command, toCommand } from '../../commands.ts';
import { control } from '../../connection.ts';

export const enforce = toCommand('Enforce the limits', () => control.quotas.enforce());
export const lift = toCommand('Stop enforcing the limits', () => control.quotas.lift());
export const refill = toCommand('Refill all limits', () => control.quotas.refill());

export const toLimitEveryone = ({ policy, name }: QuotaInfo): Command => ({
  name: `Limit everyone instead: ${name ?? policy}`,
  text: 'Limit everyone instead',
  run: () => control.records.policies.update(policy, { conditions: [], group_by: [] }),
  done: `${name ?? policy}: limits everyone`,
});

import type { Policy } from '../../../operations/get-rate-limits-policy/types.ts';
import { formatCount } from '../../format.ts';
import type { AnyRecord } from '../../kinds.ts';

const units = { rpm: 'a minute', rph: 'an hour', rpd: 'a day' };

/** Describes the limit of a policy: "60 requests a minute for each api_key". */
const describePolicy = ({ type, unit, value, group_by = [], conditions = [] }: Policy): string => {
  const what = value === 1 ? type.replace(/s$/, '') : type;
  const keys = group_by.map(({ key }) => key).join(' and ');
  const whom = keys === '' ? 'for all together' : `for each ${keys}`;
  const where = conditions.map(({ key, value: wanted }) => `${key} is ${wanted}`).join(' and ');
  return `${formatCount(value)} ${what} ${units[unit]} ${whom}${where === '' ? '' : `, where ${where}`}`;
};

export const describePolicyOf = (record: AnyRecord): string => describePolicy(record as unknown as Policy); // a record of the kind policies

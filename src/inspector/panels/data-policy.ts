import type { Policy } from '../../operations/get-rate-limits-policy/types.ts';
import { formatCount } from '../parts.tsx';
import { texts } from '../texts.ts';
import type { AnyRecord } from './data-kinds.ts';

const t = texts.policy;

/** Describes the limit of a policy: "60 requests a minute for each api_key". */
const describePolicy = ({ type, unit, value, group_by = [], conditions = [] }: Policy): string => {
  const what = value === 1 ? type.replace(/s$/, '') : type;
  const keys = group_by.map(({ key }) => key).join(texts.common.and);
  const whom = keys === '' ? t.all : t.each(keys);
  const where = conditions.map(({ key, value: wanted }) => t.is(key, wanted)).join(texts.common.and);
  return `${formatCount(value)} ${what} ${t.units[unit]} ${whom}${t.where(where)}`;
};

export const describePolicyOf = (record: AnyRecord): string => describePolicy(record as unknown as Policy); // a record of the kind policies

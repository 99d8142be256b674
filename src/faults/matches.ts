import type { RawCall } from '../protocol/call.ts';
import { matchesPattern } from '../util/pattern.ts';
import { type AnyOperation, isList } from '../world/operation.ts';
import type { Rule } from './rule.ts';

/** Whether a call matches the operation and conditions of a rule. */
export const matches = (rule: Rule, operation: AnyOperation, call: RawCall): boolean => {
  if (rule.operation !== '*' && rule.operation !== operation.id) return false;
  if ('page' in rule.effect && !isList(operation)) return false;
  if (rule.path !== undefined && !matchesPattern(rule.path, call.path)) return false;
  const headers = Object.entries(rule.header);
  if (!headers.every(([name, value]) => matchesPattern(value, call.header(name)))) return false;
  const query = Object.entries(rule.query);
  if (query.length === 0) return true;
  const sent = new URLSearchParams(call.query);
  return query.every(([name, value]) => sent.getAll(name).some((one) => matchesPattern(value, one)));
};

/** Whether a call has a cursor that its operation supports, valid or not. */
export const hasCursor = ({ contract }: AnyOperation, { query }: Pick<RawCall, 'query'>): boolean => {
  const sent = new URLSearchParams(query);
  return ['after', 'before'].some((name) => Object.hasOwn(contract.query.shape, name) && sent.get(name));
};

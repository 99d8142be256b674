import { type Assumption, type AssumptionId, assumptions } from '../assumptions/table.ts';
import { GatewayError, type Refusal } from './errors.ts';

/**
 * Answers the call with an error. The contract shows no errors, so every error depends on an assumption, and
 * `replyToError` marks the reply with it. The status is that of the assumption unless the refusal has another.
 *
 * @throws GatewayError always
 */
export const refuse = (
  assumption: AssumptionId,
  refusal: Omit<Refusal, 'status'> & Partial<Pick<Refusal, 'status'>>,
): never => {
  throw new GatewayError(assumption, { status: statusOf(assumption), ...refusal });
};

/** The first value of an assumption that is a status; 400 if none is. */
const statusOf = (id: AssumptionId): number => {
  const { choices }: Assumption = assumptions[id];
  return Number(choices.find(([value]) => isStatus(value))?.[0] ?? 400);
};

/** Whether the value of an assumption is a status. */
export const isStatus = (value: string): boolean => /^\d{3}$/.test(value);

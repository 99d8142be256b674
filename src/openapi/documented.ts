import type { Control } from '../control/control.ts';
import { type ExampleCall, findExampleCall } from '../gateway/example-call.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import type { OperationDocs } from '../protocol/operation-docs.ts';
import type { AnyOperation } from '../world/operation.ts';

/** An operation with everything that its documentation needs. */
export interface Documented {
  readonly contract: OperationContract;
  readonly docs: OperationDocs;
  /** A call with ids of records of the scenario `default`. */
  readonly example: ExampleCall;
}

/** @throws Error if the scenario `default` has no record for its example call */
export const toDocumented = async (
  operation: AnyOperation,
  records: Control['records'],
): Promise<Documented> => {
  const { docs } = await operation.docs();
  const example = await findExampleCall(operation, records);
  if (example === undefined)
    throw new Error(
      `Failed to document ${operation.id}: the scenario "default" has no record for the params of its docs.ts.`,
    );
  return { contract: operation.contract, docs, example };
};

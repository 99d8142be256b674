import type { ContractOperation } from '../../core/operations/operation.ts';
import { fillPath } from '../../core/protocol/paths.ts';
import { parseOptions } from '../../core/util/parse-options.ts';
import { buildGateway } from '../gateway/build-gateway.ts';
import { findExampleCall } from '../gateway/example-call.ts';
import { gatewayOptions } from '../gateway/gateway-options.ts';

/** A call of an operation, and the gateway's reply. */
export interface Example {
  /** `success`, or the id of the assumption by which the call is refused. */
  readonly name: string;
  readonly summary: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly status: number;
  /** The ids of the assumptions that mark the reply. */
  readonly marks: readonly string[];
  readonly reply: unknown;
}

/**
 * Sends the example call of an operation, and each refused call of its docs, to a new gateway.
 *
 * @throws Error if the scenario `default` has no record for the example call, or the call is refused
 */
export const callExamples = async (
  operation: ContractOperation,
): Promise<[good: Example, refused: Example]> => {
  const { method, path, id, betaHeader } = operation.contract;
  const { gateway } = buildGateway(parseOptions(gatewayOptions(), {}));
  const example = await findExampleCall(operation, gateway.records);
  if (example === undefined)
    throw new Error(
      `Failed to document ${id}: the scenario "default" has no record for the params of its docs.ts.`,
    );
  const headers = {
    'x-gateway-api-key': 'a-valid-key',
    'x-gateway-virtual-key': 'a-valid-virtual-key',
    ...(betaHeader && { 'vendor-beta': 'assistants=v2' }),
  };
  const send = async (call: typeof example & { readonly name: string }): Promise<Example> => {
    const { params, query = '', body } = call;
    const url = `http://127.0.0.1:4010/v1${fillPath(path, params)}?${query}`;
    const reply = await gateway.fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const marks = reply.headers.get('x-mock-assumptions')?.split(', ') ?? [];
    return { ...call, status: reply.status, marks, reply: await reply.json() };
  };
  const good = await send({ ...example, name: 'success' });
  if (good.status !== 200)
    throw new Error(
      `Failed to document ${id}: the example call of its docs.ts returned ${good.status}: ${JSON.stringify(good.reply)}`,
    );
  const { refused } = (await operation.docs()).docs;
  return [good, await send({ ...example, ...refused, params: { ...example.params, ...refused.params } })];
};

// What the option `calls` adds to a gateway.
import type { AnyOperation } from '../../core/operations/operation.ts';
import {
  kinds as contractKinds,
  operations as contractOperations,
} from '../../core/scenario/scenario-schema.ts';
import type { Kind } from '../../core/world/kind.ts';
import type { CommandContext } from '../control/command.ts';
import { type DefinedCall, withOwnCalls } from './own-calls.ts';
import { type DefinedRecords, withOwnKinds } from './own-records.ts';

/** An item of the option `calls`. */
export type OwnDefinition = DefinedCall | DefinedRecords;

/** The operations and kinds of records of a gateway. */
export interface GatewayParts {
  /** The contract's operations and the user's own calls. */
  readonly operations: readonly AnyOperation[];
  /** The contract's kinds of records and the user's own. */
  readonly kinds: readonly Kind[];
}

/** @throws Error if an id, a name, or a method and path, is taken, or an owner unknown */
export const toGatewayParts = (
  definitions: readonly OwnDefinition[],
  commandContextOf: (session: string) => CommandContext,
): GatewayParts => {
  const calls = definitions.filter((definition) => 'handle' in definition);
  const records = definitions.filter((definition) => 'idPrefix' in definition);
  return {
    operations: withOwnCalls(contractOperations, calls, commandContextOf),
    kinds: withOwnKinds(contractKinds as readonly Kind[], records),
  };
};

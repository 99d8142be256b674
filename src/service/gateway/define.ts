// How users define their own calls and records: `gateway-mock` and `gateway-mock/calls` export it.

export type { OwnDefinition } from './gateway-parts.ts';
export {
  type CallDefinition,
  type CallSchema,
  type DefinedCall,
  defineCall,
  type OwnCall,
  type OwnCallTools,
  type PathParams,
  type Synchronous,
} from './own-calls.ts';
export { type DefinedRecords, defineRecords } from './own-records.ts';

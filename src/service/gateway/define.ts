// How users define their own calls and records: `gateway-mock` and `gateway-mock/calls` export it.
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
export { type DefinedRecords, defineRecords, type OwnDefinition } from './own-records.ts';

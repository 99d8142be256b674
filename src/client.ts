// The control of a running server, over HTTP.
export { type ConnectOptions, connect } from './admin/remote.ts';
export type { Control } from './control/types.ts';

// The control of a running server, over HTTP.
export type { ServerEvent } from './admin/event-stream.ts';
export { type ConnectOptions, connect, type RemoteControl } from './admin/remote.ts';
export type { Control } from './control/types.ts';

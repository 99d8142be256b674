// The control of a running server, over HTTP.
export type { ServerEvent } from './service/admin/event-stream.ts';
export { type ConnectOptions, connect, type RemoteControl } from './service/admin/remote.ts';
export type { Control } from './service/control/types.ts';

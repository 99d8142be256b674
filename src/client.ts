// The control of a running server, over HTTP.

export { type ConnectOptions, connect, type RemoteControl } from './service/client/connect.ts';
export type { ServerEvent } from './service/client/event-stream.ts';
export type { Control } from './service/control/control-interface.ts';

// Ready-made calls beside the contract's operations, and `defineCall` for your own. It needs neither `msw` nor Node.
export { batches } from './service/calls/batches.ts';
export { type ChatOptions, chat, createChat } from './service/calls/chat.ts';
export { jobs } from './service/calls/jobs.ts';
export { runs } from './service/calls/runs.ts';
export * from './service/gateway/define.ts';

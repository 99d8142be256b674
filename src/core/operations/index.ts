export { getRateLimitsPolicy } from './get-rate-limits-policy/handler.ts';
export { listBatches } from './list-batches/handler.ts';
export { listCheckpoints } from './list-checkpoints/handler.ts';
export { listRuns } from './list-runs/handler.ts';
export { renderPrompt } from './render-prompt/handler.ts';

/** The id of an operation. */
export type OperationId = ListId | 'getRateLimitsPolicy' | 'renderPrompt';

/** The id of an operation that returns pages of a list. */
export type ListId = 'listBatches' | 'listCheckpoints' | 'listRuns';

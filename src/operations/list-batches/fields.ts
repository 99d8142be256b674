import { alphanumeric, type Random } from '../../world/random.ts';
import type { Batch } from './contract.ts';
import type { BatchEvents, BatchState } from './lifecycle.ts';

/** A batch to be made. */
export interface Plan {
  readonly id: string;
  readonly created: number;
  /** How many seconds after its creation it expires, unless it has ended by then. */
  readonly lifetime: number;
  /** The moment that parts what lies behind from what lies ahead. */
  readonly now: number;
  readonly random: Random;
}

/** A batch as it is made, before anything happens to it. */
export const newBatch = ({ id, created, lifetime, random }: Plan): Batch => ({
  id,
  object: 'batch',
  endpoint: random.pick([
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/v1/embeddings',
    '/v1/responses',
  ]),
  errors: null,
  input_file_id: fileId(random),
  completion_window: '24h',
  status: 'validating',
  output_file_id: null,
  error_file_id: null,
  created_at: created,
  in_progress_at: null,
  expires_at: created + lifetime,
  finalizing_at: null,
  completed_at: null,
  failed_at: null,
  expired_at: null,
  cancelling_at: null,
  cancelled_at: null,
  request_counts: { total: 0, completed: 0, failed: 0 },
  metadata: chooseMetadata(random),
});

const chooseMetadata = (random: Random): Record<string, string> | null => {
  if (random.chance(0.3)) return null;
  const description = random.pick([
    'nightly evaluation',
    'product catalogue embeddings',
    'ticket triage backfill',
    'review sentiment, weekly',
    'translation of help articles',
    'call transcript summaries',
  ]);
  return {
    description,
    ...(random.chance(0.6) && { team: random.pick(['search', 'support', 'growth', 'data-platform']) }),
    ...(random.chance(0.3) && { attempt: String(random.int(1, 3)) }),
  };
};

/** What a batch meets on its way through these states. */
export const chooseEvents = (path: readonly BatchState[], random: Random): BatchEvents => {
  const total = random.int(20, 5000);
  const share = path.includes('finalizing') ? 1 : random.float() * 0.95;
  const done = share === 1 ? total : Math.min(total - 1, Math.floor(total * share));
  const failing = chooseFailing(done, random);
  return {
    errors: { object: 'list', data: chooseErrors(random) },
    progress: path.includes('in_progress') ? progressTo(total, done, failing) : [],
    outputFile: fileId(random),
    errorFile: fileId(random),
  };
};

/** Most batches have no failed request, some a few, and now and then all of them fail. */
const chooseFailing = (done: number, random: Random): number => {
  const kind = random.weighted([6, 3, 1]);
  if (kind === 0) return 0;
  return kind === 1 ? Math.ceil(done * random.float() * 0.08) : done;
};

/** The counts grow in eight steps; the last one belongs to the next state. */
const progressTo = (total: number, done: number, failing: number) =>
  Array.from({ length: 9 }, (_, step) => {
    const handled = Math.floor((done * step) / 8);
    const failed = Math.floor((failing * step) / 8);
    return { total, completed: handled - failed, failed };
  });

const mistakes = [
  (line: number) => ({
    code: 'invalid_json_line',
    message: 'This line is not parseable as valid JSON.',
    param: null,
    line,
  }),
  (line: number) => ({
    code: 'duplicate_custom_id',
    message: `The custom_id for this line is a duplicate of line ${Math.max(1, line - 3)}.`,
    param: 'custom_id',
    line,
  }),
  (line: number) => ({
    code: 'missing_required_parameter',
    message: "Missing required parameter: 'body.model'.",
    param: 'body.model',
    line,
  }),
  (line: number) => ({
    code: 'invalid_url',
    message: 'The URL provided for this request does not match the batch endpoint.',
    param: 'url',
    line,
  }),
] as const;

const wholeFile = [
  {
    code: 'empty_file',
    message: 'The input file is empty. Please ensure that the batch contains at least one request.',
    param: null,
    line: null,
  },
  {
    code: 'token_limit_exceeded',
    message:
      'Enqueued token limit reached for this model. Limit: 2000000 enqueued tokens. Please try again once some in_progress batches have been completed.',
    param: null,
    line: null,
  },
] as const;

const chooseErrors = (random: Random): NonNullable<Batch['errors']>['data'] => {
  if (random.chance(0.35)) return [random.pick(wholeFile)];
  const describe = random.pick(mistakes);
  return random.rising(random.int(1, 3), 2, 400).map((line, index) => describe(line + index));
};

/** The id of a file. */
export const fileId = (random: Random): string => `file-${random.text(22, alphanumeric)}`;

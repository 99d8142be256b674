import { earliestOf, fitTimes } from '../../world/given-times.ts';
import { createIds } from '../../world/ids.ts';
import { type NewRecord, randomOf, type Seeding } from '../../world/kind.ts';
import { type Amount, type Deck, dealStates, spreadAges } from '../../world/mix.ts';
import { createRandom, type Random } from '../../world/random.ts';
import type { Source } from '../../world/source.ts';
import { afterSteps, type Life } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';
import { type BatchEvents, type BatchState, batchLifetime, batchStates, batchSteps } from './lifecycle.ts';

const deck: Deck<BatchState> = {
  newborn: 'validating',
  live: ['in_progress', 'finalizing', 'cancelling'],
  young: [
    ...(['in_progress', 'in_progress', 'finalizing', 'cancelling', 'failed', 'cancelled'] as const),
    ...Array<BatchState>(5).fill('completed'),
  ],
  old: [
    ...Array<BatchState>(14).fill('completed'),
    ...(['failed', 'failed', 'expired', 'expired', 'cancelled', 'cancelled'] as const),
  ],
};

/** Ages in seconds: a live batch is well within its completion window, an old one has had the time to expire. */
const newborn = { from: 5, to: 240 };
const young = { from: 300, to: 64_800 };
const old = { from: 93_600, gap: 43_200 };
const usualTies = [0, 0, 0, 0, 1, 1, 1, 2];

/** The batches, newest first. */
export const seedBatches = (
  amount: Amount<BatchState>,
  ties: number | undefined,
  seeding: Seeding,
): Source<Batch> => {
  const key = `${seeding.seed}/batch`;
  const ids = createIds('batch_', key);
  const mix = dealStates(`${key}/state`, amount, deck);
  const ages = spreadAges(
    (group) => createRandom(key, 'age', group),
    [
      { count: mix.newborn, ...newborn },
      { count: mix.young, ...young },
    ],
    old,
    ties ?? usualTies,
  );
  const createdAt = (rank: number): number => seeding.start - ages.ageAt(rank);
  return {
    size: mix.size,
    ids,
    createdAt,
    make: (rank) => {
      const random = randomOf(seeding, 'batch', '', rank);
      const path = choosePath(mix.stateAt(rank), random);
      return makeBatch(ids.at(rank), createdAt(rank), path, seeding.start, random);
    },
  };
};

/** A batch written by hand: what is not given agrees with the state and the time that are. */
export const completeBatch = (given: Partial<Batch>, { seed, id, now }: NewRecord): Batch => {
  const random = createRandom(seed, 'batch', '', id);
  const givenCreation =
    given.created_at ?? (typeof given.expires_at === 'number' ? given.expires_at - batchLifetime : undefined);
  const age = givenCreation === undefined ? undefined : now - givenCreation;
  const usualState = (age ?? 0) < batchLifetime ? 'validating' : 'completed';
  const state = batchStates.find((known) => known === given.status) ?? stateBy(given) ?? usualState;
  const usualAge =
    state === 'validating' ? 0 : state === 'expired' ? batchLifetime + 600 : random.int(3600, 40_000);
  const { behind } = choosePath(state, random);
  const lead = state === 'expired' ? batchLifetime : 1;
  const created =
    givenCreation ??
    Math.min(now - usualAge, (earliestOf(given, moments) ?? Number.POSITIVE_INFINITY) - lead);
  const life = makeBatch(id, created, { behind, ahead: [] }, now, random);
  const whole = afterSteps(life, life.timeline.length);
  return { ...whole, ...filesBy(whole, given, random), ...fitTimes(whole, given, moments), ...given };
};

/** The moments of a batch, in the order of its states. */
const moments = [
  'created_at',
  'in_progress_at',
  'finalizing_at',
  'cancelling_at',
  'completed_at',
  'failed_at',
  'expired_at',
  'cancelled_at',
] as const;

/** The state that the fields given tell of, where they do. */
const stateBy = (given: Partial<Batch>): BatchState | undefined => {
  if (given.completed_at) return 'completed';
  if (given.failed_at || given.errors) return 'failed';
  if (given.expired_at) return 'expired';
  if (given.cancelled_at) return 'cancelled';
  if (given.cancelling_at) return 'cancelling';
  if (given.output_file_id || given.error_file_id) return 'completed';
  if (given.finalizing_at) return 'finalizing';
  return given.in_progress_at ? 'in_progress' : undefined;
};

/** The files that agree with the counts given: one for each kind of request that there was. */
const filesBy = (whole: Batch, { request_counts }: Partial<Batch>, random: Random): Partial<Batch> => {
  const hasFiles = ['completed', 'expired', 'cancelled'].includes(whole.status);
  if (!request_counts || !hasFiles) return {};
  return {
    output_file_id: request_counts.completed > 0 ? (whole.output_file_id ?? fileId(random)) : null,
    error_file_id: request_counts.failed > 0 ? (whole.error_file_id ?? fileId(random)) : null,
  };
};

const makeBatch = (id: string, created: number, path: Path, now: number, random: Random): Life<Batch> => {
  const events = chooseEvents(path, random);
  return {
    resource: newBatch(id, created, random),
    timeline: batchSteps(timePath(path, created, now, random), events),
  };
};

/** The states that lie behind a batch at some moment, and those still ahead of it. */
interface Path {
  readonly behind: readonly BatchState[];
  readonly ahead: readonly BatchState[];
}

const choosePath = (state: BatchState, random: Random): Path => {
  switch (state) {
    case 'validating':
      return { behind: [], ahead: random.chance(0.2) ? ['failed'] : ['in_progress', ...chooseEnd(random)] };
    case 'in_progress':
      return { behind: ['in_progress'], ahead: chooseEnd(random) };
    case 'finalizing':
      return { behind: ['in_progress', 'finalizing'], ahead: ['completed'] };
    case 'cancelling':
      return { behind: [...started(random), 'cancelling'], ahead: ['cancelled'] };
    case 'completed':
      return { behind: ['in_progress', 'finalizing', 'completed'], ahead: [] };
    case 'expired':
      return { behind: ['in_progress', 'expired'], ahead: [] };
    case 'cancelled':
      return { behind: [...started(random), 'cancelling', 'cancelled'], ahead: [] };
    case 'failed':
      return { behind: ['failed'], ahead: [] };
  }
};

const chooseEnd = (random: Random): BatchState[] => {
  const ends: BatchState[][] = [['finalizing', 'completed'], ['expired'], ['cancelling', 'cancelled']];
  return ends[random.weighted([4, 1, 1])] ?? [];
};

/** Some batches are cancelled before they start. */
const started = (random: Random): BatchState[] => (random.chance(0.6) ? ['in_progress'] : []);

/** Gives each state its moment: those behind before now, those ahead after it, and expiry at its very second. */
const timePath = ({ behind, ahead }: Path, created: number, now: number, random: Random) => {
  const age = now - created;
  const lastBehind = ahead.length > 0 ? age : Math.min(age, random.int(900, 21_600));
  const lastAhead = Math.min(batchLifetime - 1, age + random.int(600, 14_400));
  const offsets = [
    ...random.rising(behind.length, Math.min(20, lastBehind), lastBehind),
    ...random.rising(ahead.length, age + 1, lastAhead),
  ];
  const soon = random.int(20, 120);
  return [...behind, ...ahead].map((status, index) => {
    const offset = offsets[index] ?? 0;
    const isFirst = index === 0 && behind.length > 0;
    return {
      status,
      at: created + (status === 'expired' ? batchLifetime : isFirst ? Math.min(offset, soon) : offset),
    };
  });
};

const newBatch = (id: string, created: number, random: Random): Batch => ({
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
  expires_at: created + batchLifetime,
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

const chooseEvents = ({ behind, ahead }: Path, random: Random): BatchEvents => {
  const path = [...behind, ...ahead];
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

const fileId = (random: Random): string =>
  `file-${random.text(22, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')}`;

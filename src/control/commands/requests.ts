import * as z from 'zod';
import { checkNames, type RequestFilter, requestFilterSchema, textOf } from '../../journal/filter.ts';
import type { Journal } from '../../journal/journal.ts';
import { copyRequest } from '../../journal/recorded-request.ts';
import { type WaitOptions, waitFor } from '../../journal/wait.ts';
import { listWalks, reportWalk, type WalkOptions } from '../../journal/walks.ts';
import type { ListId } from '../../operations/ids.ts';
import { limits } from '../../util/limits.ts';
import { type Context, command, signature } from '../command.ts';

/** How requests are listed. */
export interface RequestListOptions {
  /** Returns only this many requests, the latest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Leaves out this many of the latest ones: with `limit`, a page of older requests. Default: 0. */
  readonly offset?: number | undefined;
  /** Whether to include the bodies of requests and replies. Default: true. */
  readonly bodies?: boolean | undefined;
  /** Whether to list only what the journal has kept, even if it has dropped older requests. Default: false. */
  readonly kept?: boolean | undefined;
}

/** The keys of a filter, and of the options of a method. */
const filterAnd = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...requestFilterSchema.unwrap().shape, ...shape });

export const requestsCommands = {
  /**
   * The requests that match a filter, oldest first.
   *
   * @throws Error if the journal has dropped requests, unless it has kept as many matching ones as `limit`, or `kept` is set
   */
  list: command({
    summary: 'Lists the requests that match a filter, oldest first.',
    args: signature<[filter?: RequestFilter, options?: RequestListOptions]>(),
    input: () =>
      filterAnd({
        limit: z
          .int()
          .min(0)
          .exactOptional()
          .describe('Return only this many requests, the latest ones. Default: all.'),
        offset: z.int().min(0).default(0).describe('Leave out this many of the latest requests.'),
        bodies: z.boolean().default(true).describe('Whether to include bodies.'),
        kept: z
          .boolean()
          .default(false)
          .describe('Whether to list only what the journal has kept, even if it has dropped older requests.'),
      }),
    example: { operation: 'listRuns', status: '4xx', limit: 10 },
    run: (context, { limit = Number.POSITIVE_INFINITY, offset, bodies, kept, ...filter }) => {
      const action = 'list the requests';
      const journal = openJournal(context, action);
      const names = checkNames(filter, context.operations);
      const refuse = (): void =>
        journal.refuseIfDropped(action, ' To list only those that it has kept, set kept: true, or a limit.');
      const most = offset + limit;
      // Before the search, where it could not find enough.
      if (!kept && journal.kept < most) refuse();
      const requests = journal.list(names, most);
      if (!kept && requests.length < most) refuse();
      const end = Math.max(0, requests.length - offset);
      return requests.slice(Math.max(0, end - limit), end).map((request) => copyRequest(request, bodies));
    },
  }),
  /**
   * The request that was answered with this `x-request-id`; undefined if there is none. After `state.undo` an id may be used again:
   * then it is the latest.
   *
   * @throws Error if it may be one of those that the journal has dropped
   */
  get: command({
    summary: 'Returns one request by its x-request-id; null if there is none.',
    args: signature<[id: string]>('id'),
    input: () => z.strictObject({ id: z.string() }),
    example: { id: 'req_1' },
    run: (context, { id }) => {
      const action = 'get a request';
      const journal = openJournal(context, action);
      const request = journal.list().findLast((one) => one.id === id && id !== '');
      if (request === undefined) journal.refuseIfDropped(action);
      return request && copyRequest(request);
    },
  }),
  /** How many requests match a filter. @throws Error if the journal has dropped requests, unless `kept` is set */
  count: command({
    summary: 'Counts the requests that match a filter.',
    args: signature<[filter?: RequestFilter, options?: { readonly kept?: boolean | undefined }]>(),
    input: () => filterAnd({ kept: z.boolean().default(false) }),
    example: { operation: 'listRuns' },
    run: (context, { kept, ...filter }) => {
      const action = 'count the requests';
      const journal = openJournal(context, action);
      const names = checkNames(filter, context.operations);
      if (!kept) journal.refuseIfDropped(action); // before the search, which may take long
      return journal.list(names).length;
    },
  }),
  /** Deletes all requests from the journal. */
  clear: command({
    summary: 'Deletes all requests from the journal.',
    writes: true,
    undoable: false,
    run: ({ open }) => open().journal.clear(),
  }),
  /**
   * Resolves with the matching requests as soon as there are enough. Those that came before count.
   *
   * @throws Error if they do not come in time, with the last requests
   */
  wait: command({
    summary: 'Waits until enough requests match a filter. The timeout is in milliseconds.',
    args: signature<[filter?: RequestFilter, options?: WaitOptions]>(),
    input: () => filterAnd({ count: z.int().exactOptional(), timeout: z.number().exactOptional() }),
    example: { operation: 'listRuns', count: 2 },
    run: async (context, { count, timeout, ...filter }) => {
      const journal = openJournal(context, 'wait');
      const names = checkNames(filter, context.operations);
      const release = context.sessions.hold(context.open().name, limits.waitTimeout);
      return waitFor(journal, names, { count, timeout, signal: context.signal }).finally(release);
    },
  }),
  /**
   * Reports whether a client that walked over the pages of a list saw every record exactly once, and stopped.
   *
   * @throws Error if the operation is not a list, was not called, or was called for several owners, or if the journal has
   * dropped requests
   */
  walk: command({
    summary: 'Reports whether a client that walked a list saw every record exactly once, and stopped.',
    args: signature<[operation: ListId, options?: WalkOptions]>('operation'),
    input: () =>
      z.strictObject({
        operation: textOf<ListId>(),
        params: z.record(z.string(), z.string()).exactOptional(),
        seen: z.array(z.string()).exactOptional(),
      }),
    example: { operation: 'listRuns', params: { thread_id: 'thread_demo' } },
    run: (context, { operation, ...options }) =>
      reportWalk(
        openJournal(context, 'check a walk'),
        context.world(),
        context.operations,
        operation,
        options,
      ),
  }),
  /**
   * The walks over lists in what the journal has kept, each with its pages: a walk is the calls of one client for one list, from
   * a call without a cursor on. The latest first, at most 20.
   */
  walks: command({
    summary:
      'Lists the latest walks over lists, each with its pages, and the records that were seen, repeated or missed.',
    run: (context) => listWalks(openJournal(context, 'list the walks'), context.world(), context.operations),
  }),
};

const openJournal = ({ open }: Context, action: string): Journal => {
  const { journal } = open();
  if (journal.size === 0) throw new Error(`Failed to ${action}: the journal is off (journal: 0).`);
  return journal;
};

import * as z from 'zod';
import { checkNames, type RequestFilter, requestFilterSchema, textOf } from '../../journal/filter.ts';
import type { Journal } from '../../journal/journal.ts';
import { maxTimeout } from '../../journal/limits.ts';
import { copyRequest } from '../../journal/recorded-request.ts';
import { type WaitOptions, waitFor } from '../../journal/wait.ts';
import { listWalks, reportWalk, type WalkOptions } from '../../journal/walks.ts';
import type { ListId } from '../../operations/ids.ts';
import { type Context, command, optional, required } from '../command.ts';

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

const filterInput = () => optional('filter', requestFilterSchema.unwrap());

export const requestsCommands = {
  /**
   * The requests that match a filter, oldest first.
   *
   * @throws Error if the journal has dropped requests, unless it has kept as many matching ones as `limit`, or `kept` is set
   */
  list: command({
    http: 'GET /requests',
    summary: 'Lists the requests that match a filter, oldest first.',
    input: () => [
      filterInput(),
      optional(
        'options',
        z.strictObject({
          limit: z
            .int()
            .min(0)
            .exactOptional()
            .describe('Return only this many requests, the latest ones. Default: all.'),
          offset: z
            .int()
            .min(0)
            .exactOptional()
            .describe('Leave out this many of the latest requests. Default: 0.'),
          bodies: z.boolean().exactOptional().describe('Whether to include bodies.'),
          kept: z
            .boolean()
            .exactOptional()
            .describe(
              'Whether to list only what the journal has kept, even if it has dropped older requests.',
            ),
        }),
      ),
    ],
    run: async (context, filter: RequestFilter = {}, options: RequestListOptions = {}) => {
      const { limit = Number.POSITIVE_INFINITY, offset = 0, bodies = true, kept = false } = options;
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
   * The request that was answered with this `x-request-id`; undefined if there is none.
   *
   * @throws Error if it may be one of those that the journal has dropped
   */
  get: command({
    http: 'GET /requests/{id}',
    summary: 'Returns one request by its x-request-id; 204 if there is none.',
    input: () => [required('id', z.string())],
    run: async (context, id: string) => {
      const action = 'get a request';
      const journal = openJournal(context, action);
      const request = journal.list().find((one) => one.id === id && id !== '');
      if (request === undefined) journal.refuseIfDropped(action);
      return request && copyRequest(request);
    },
  }),
  /** How many requests match a filter. @throws Error if the journal has dropped requests, unless `kept` is set */
  count: command({
    http: 'GET /requests/count',
    summary: 'Counts the requests that match a filter.',
    input: () => [filterInput(), optional('options', z.strictObject({ kept: z.boolean().exactOptional() }))],
    run: async (
      context,
      filter: RequestFilter = {},
      { kept = false }: { kept?: boolean | undefined } = {},
    ) => {
      const action = 'count the requests';
      const journal = openJournal(context, action);
      const names = checkNames(filter, context.operations);
      if (!kept) journal.refuseIfDropped(action); // before the search, which may take long
      return journal.list(names).length;
    },
  }),
  /** Deletes all requests from the journal. */
  clear: command({
    http: 'DELETE /requests',
    summary: 'Deletes all requests from the journal.',
    writes: true,
    run: async ({ open }) => open().journal.clear(),
  }),
  /**
   * Resolves with the matching requests as soon as there are enough. Those that came before count.
   *
   * @throws Error if they do not come in time, with the last requests
   */
  wait: command({
    http: 'GET /requests/wait',
    summary: 'Waits until enough requests match a filter. The timeout is in milliseconds.',
    input: () => [
      filterInput(),
      optional(
        'options',
        z.strictObject({ count: z.int().exactOptional(), timeout: z.number().exactOptional() }),
      ),
    ],
    run: async (context, filter: RequestFilter = {}, options: WaitOptions = {}) => {
      const journal = openJournal(context, 'wait');
      const names = checkNames(filter, context.operations);
      const release = context.sessions.hold(context.open().name, maxTimeout);
      return waitFor(journal, names, { ...options, signal: context.signal }).finally(release);
    },
  }),
  /**
   * Reports whether a client that walked over the pages of a list saw every record exactly once, and stopped.
   *
   * @throws Error if the operation is not a list, was not called, or was called for several owners, or if the journal has
   * dropped requests
   */
  walk: command({
    http: 'POST /requests/walk',
    summary: 'Reports whether a client that walked a list saw every record exactly once, and stopped.',
    input: () => [
      required('operation', textOf<ListId>()),
      optional(
        'options',
        z.strictObject({
          params: z.record(z.string(), z.string()).exactOptional(),
          seen: z.array(z.string()).exactOptional(),
        }),
      ),
    ],
    run: async (context, operation: ListId, options: WalkOptions = {}) =>
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
    http: 'GET /requests/walks',
    summary:
      'Lists the latest walks over lists, each with its pages, and the records that were seen, repeated or missed.',
    run: async (context) =>
      listWalks(openJournal(context, 'list the walks'), context.world(), context.operations),
  }),
};

const openJournal = ({ open }: Context, action: string): Journal => {
  const { journal } = open();
  if (journal.size === 0) throw new Error(`Failed to ${action}: the journal is off (journal: 0).`);
  return journal;
};

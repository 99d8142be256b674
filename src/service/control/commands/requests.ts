import * as z from 'zod';
import { checkNames, type RequestFilter, requestFilterSchema, textOf } from '../../../core/journal/filter.ts';
import type { Journal } from '../../../core/journal/journal.ts';
import { copyRequest } from '../../../core/journal/recorded-request.ts';
import { waitFor } from '../../../core/journal/wait.ts';
import { listWalks, reportWalk } from '../../../core/journal/walks.ts';
import type { ListId } from '../../../core/operations/ids.ts';
import { type CommandsOf, type Context, command } from '../command.ts';
import type { Control } from '../types.ts';

/** The keys of a filter, and of the options of a method. */
const filterAnd = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...requestFilterSchema.unwrap().shape, ...shape });

export const requestsCommands = {
  list: command({
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
      const names = checkFilter(filter, context, journal);
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
  get: command({
    args: ['id'],
    input: () => z.strictObject({ id: z.string() }),
    example: { id: 'req_1' },
    run: (context, { id }) => {
      const action = 'get a request';
      const journal = openJournal(context, action);
      const request = journal
        .list()
        .findLast((one) => [one.id, String(one.ordinal)].includes(id) && id !== '');
      if (request === undefined) journal.refuseIfDropped(action);
      return request && copyRequest(request);
    },
  }),
  count: command({
    input: () => filterAnd({ kept: z.boolean().default(false) }),
    example: { operation: 'listRuns' },
    run: (context, { kept, ...filter }) => {
      const action = 'count the requests';
      const journal = openJournal(context, action);
      const names = checkFilter(filter, context, journal);
      if (!kept) journal.refuseIfDropped(action); // before the search, which may take long
      return journal.list(names).length;
    },
  }),
  clear: command({ writes: true, undoable: false, run: ({ open }) => open().journal.clear() }),
  wait: command({
    input: () =>
      filterAnd({
        count: z.int().exactOptional(),
        timeout: z.number().exactOptional(),
        until: z.enum(['settled', 'arrival']).exactOptional(),
        from: z.enum(['start', 'now']).exactOptional(),
      }),
    example: { operation: 'listRuns', count: 2 },
    run: async (context, { count, timeout, until, from, ...filter }) => {
      const journal = openJournal(context, 'wait');
      const names = checkFilter(filter, context, journal);
      return waitFor(journal, names, { count, timeout, until, from, signal: context.signal });
    },
  }),
  walk: command({
    args: ['operation'],
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
  walks: command({
    run: (context) => listWalks(openJournal(context, 'list the walks'), context.world(), context.operations),
  }),
} satisfies CommandsOf<Control['requests']>;

/** @throws Error if no request can match */
const checkFilter = (filter: RequestFilter, { operations }: Context, journal: Journal): RequestFilter =>
  checkNames(filter, operations, (path) => journal.list({ path }, 1).length > 0);

const openJournal = ({ open }: Context, action: string): Journal => {
  const { journal } = open();
  if (journal.size === 0) throw new Error(`Failed to ${action}: the journal is off (journal: 0).`);
  return journal;
};

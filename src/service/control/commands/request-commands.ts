import * as z from 'zod';
import { expectRequests } from '../../../core/journal/expect.ts';
import type { Journal } from '../../../core/journal/journal.ts';
import { copyRequest } from '../../../core/journal/recorded-request.ts';
import { checkNames, type RequestFilter, requestFilterSchema } from '../../../core/journal/request-filter.ts';
import { waitFor } from '../../../core/journal/wait-for-requests.ts';
import { listWalks, reportWalk } from '../../../core/journal/walks.ts';
import { type CommandsOf, change, command, type RunningCommand } from '../command.ts';
import type { Control } from '../control-interface.ts';
import type { Session } from '../session.ts';

/** The keys of a filter, and of the options of a method. */
const filterAnd = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...requestFilterSchema.unwrap().shape, ...shape });

export const requestsCommands = {
  list: command({
    summary: 'Lists the requests that match a filter, oldest first.',
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
          .describe(
            'Whether to list only the requests that the journal still has, even if it has dropped older ones.',
          ),
      }),
    example: { operation: 'listRuns', status: '4xx', limit: 10 },
    run: (context, { limit = Number.POSITIVE_INFINITY, offset, bodies, kept, ...filter }) => {
      const action = 'list the requests';
      const { journal, wanted } = openFiltered(context, filter, action);
      const refuse = (): void =>
        journal.refuseIfDropped(action, ' To list only those that it has kept, set kept: true, or a limit.');
      const most = offset + limit;
      // Checked before the search, if the search cannot find enough.
      if (!kept && journal.length < most) refuse();
      const requests = journal.list(wanted, most);
      if (!kept && requests.length < most) refuse();
      const end = Math.max(0, requests.length - offset);
      return requests.slice(0, end).map((request) => copyRequest(request, bodies));
    },
  }),
  get: command({
    summary:
      "Returns one request by its `x-request-id`, or by its number in the journal (`'3'`); undefined (over HTTP: null) if there is none.",
    args: ['id'],
    input: () => z.strictObject({ id: z.string() }),
    example: { id: 'req_1' },
    run: (context, { id }) => {
      const action = 'get a request';
      const journal = openJournal(context.session, action);
      const request = journal
        .list()
        .findLast((request) => [request.id, String(request.ordinal)].includes(id) && id !== '');
      if (request === undefined) journal.refuseIfDropped(action);
      return request && copyRequest(request);
    },
  }),
  count: command({
    summary: 'Counts the requests that match a filter.',
    input: () => filterAnd({ kept: z.boolean().default(false) }),
    example: { operation: 'listRuns' },
    run: (context, { kept, ...filter }) => {
      const action = 'count the requests';
      const { journal, wanted } = openFiltered(context, filter, action);
      if (!kept) journal.refuseIfDropped(action); // checked before the search, which may take long
      return journal.list(wanted).length;
    },
  }),
  clear: change({
    summary: 'Deletes all requests from the journal.',
    undoable: false,
    run: ({ session }) => session.journal.clear(),
  }),
  wait: command({
    summary: 'Waits until enough requests match a filter, and returns them.',
    input: () =>
      filterAnd({
        count: z.int().exactOptional(),
        timeout: z.number().exactOptional(),
        until: z.enum(['settled', 'arrival']).exactOptional(),
        from: z.enum(['start', 'now']).exactOptional(),
      }),
    example: { operation: 'listRuns', count: 2 },
    run: async (context, { count, timeout, until, from, ...filter }) => {
      const { journal, wanted } = openFiltered(context, filter, 'wait');
      return waitFor(journal, wanted, { count, timeout, until, from, signal: context.signal });
    },
  }),
  expect: command({
    summary: 'Checks that requests were sent that match a filter, and returns them.',
    input: () => filterAnd({ times: z.int().min(0).exactOptional(), timeout: z.number().exactOptional() }),
    example: { operation: 'listRuns', times: 2 },
    run: async (context, { times, timeout, ...filter }) => {
      const { journal, wanted } = openFiltered(context, filter, 'check the expected requests');
      return expectRequests(journal, wanted, { times, timeout, signal: context.signal });
    },
  }),
  walk: command({
    summary:
      'Reports whether a client that walked the pages of a list saw every record exactly once, and stopped.',
    args: ['operation'],
    input: () =>
      z.strictObject({
        operation: z.string(),
        params: z.record(z.string(), z.string()).exactOptional(),
        seen: z.array(z.string()).exactOptional(),
      }),
    example: { operation: 'listRuns', params: { thread_id: 'thread_demo' } },
    run: ({ session, operations }, { operation, ...options }) => {
      const journal = openJournal(session, 'check a walk');
      return reportWalk(journal, session.state.world, operations, operation, options);
    },
  }),
  walks: command({
    summary:
      'Lists the latest walks over lists, each with its pages, and the records that were seen, repeated or missed.',
    run: ({ session, operations }) =>
      listWalks(openJournal(session, 'list the walks'), session.state.world, operations),
  }),
} satisfies CommandsOf<Control['requests']>;

/** The journal, and a filter whose names were checked. @throws Error if the journal is off, or no request can match */
const openFiltered = ({ session, operations }: RunningCommand, filter: RequestFilter, action: string) => {
  const journal = openJournal(session, action);
  return { journal, wanted: checkNames(filter, operations, (part) => journal.list(part, 1).length > 0) };
};

const openJournal = ({ journal }: Session, action: string): Journal => {
  if (journal.capacity === 0) throw new Error(`Failed to ${action}: the journal is off (journal: 0).`);
  return journal;
};

import { admin } from 'virtual:openapi';
import { version } from 'virtual:shipped';
import * as z from 'zod';
import type { Call } from '../../core/protocol/call.ts';
import type { CommandContext } from '../control/command.ts';
import { allCommands } from '../control/control.ts';
import { type AdminReply, toJson } from './admin-replies.ts';
import type { AdminTarget } from './api.ts';
import { loadFile, writeFile } from './scenario-file.ts';
import { showCall } from './show-call.ts';

/** A path that is not a command, since its body or reply is not one JSON value. */
interface FurtherRoute<Query extends z.ZodObject = z.ZodObject> {
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  readonly type: string;
  readonly query: () => Query;
  /** Written as a method, so that routes with different queries fit into one table. */
  answer(request: {
    readonly target: AdminTarget;
    readonly session: string;
    /** The context of the session: its first use begins the session. */
    readonly context: CommandContext;
    readonly query: z.output<Query>;
    readonly call: Call;
  }): AdminReply | Promise<AdminReply>;
}

/** A path that is read, without a query, whose reply is JSON, unless the definition says otherwise. */
const route = <Query extends z.ZodObject = z.ZodObject>(
  definition: Pick<FurtherRoute<Query>, 'summary' | 'answer'> & Partial<FurtherRoute<Query>>,
): FurtherRoute => ({
  method: 'GET',
  type: 'application/json',
  query: () => z.strictObject({}),
  ...definition,
});

/** The routes by their path below `/__admin`. */
export const furtherRoutes: Readonly<Record<string, FurtherRoute>> = {
  '/': route({
    summary: 'Lists all commands, each with an example call. A browser gets the control room.',
    answer: ({ context }) =>
      toJson(
        [...allCommands, ...context.ownCommands()].map((command) => ({
          name: command.name,
          summary: command.summary,
          call: showCall(command),
        })),
        2, // people read it
      ),
  }),
  '/health': route({
    summary: 'Returns the status of the server, and what it serves.',
    answer: ({ context }) => {
      const { start, state } = context.open();
      const operations = context.operations.map(({ contract }) => contract.id);
      const records = state.world.kinds.map(({ plural }) => plural);
      const { name, scenario } = start;
      return toJson({ status: 'ok', version, scenario: name, seed: scenario.seed, operations, records });
    },
  }),
  '/openapi.json': route({
    summary: 'Returns this document.',
    answer: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: admin }),
  }),
  '/metrics': route({
    summary: 'Returns the metrics of the server and its process, in the text format of Prometheus.',
    type: 'text/plain',
    answer: async ({ target }) => {
      const { text, type } = await target.metrics();
      return { status: 200, headers: { 'content-type': type }, body: text };
    },
  }),
  '/events': route({
    summary:
      'Streams server-sent events, each with the name of its session. Event types: "open" once the stream begins, "request" for each request, without bodies and page, "settled" when its reply was sent, cut or lost, "change" for each change of the world, and "world" if the world is created, deleted, reloaded or removed.',
    type: 'text/event-stream',
    answer: ({ target, session }) => {
      const error = target.sessions.resume(session);
      if (error !== undefined) throw error;
      return { status: 200, headers: {}, body: '', streamed: session };
    },
  }),
  '/scenario/file': route({
    method: 'POST',
    summary:
      'Restarts the world from the text of a scenario file, YAML or JSON. The scenario gets the name of the file, without its ending.',
    query: () => z.strictObject({ name: z.string() }),
    answer: async ({ context, query, call }) => toJson(await loadFile(context, query.name, call)),
  }),
  '/state/file': route({
    summary: 'Returns the current state as a scenario file, under the name of its scenario. Default: YAML.',
    type: 'application/yaml',
    query: () => z.strictObject({ format: z.enum(['yaml', 'json']).default('yaml') }),
    answer: ({ context, query }) => writeFile(context, query.format),
  }),
};

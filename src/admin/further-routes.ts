import type { Context, NamedCommand } from '../control/command.ts';
import { allCommands } from '../control/control.ts';
import type { RawCall } from '../protocol/call.ts';
import { ControlError } from '../protocol/errors.ts';
import { ownValue } from '../util/mapping.ts';
import { clientMessageOf } from '../util/message-of.ts';
import { suggest } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { truncate } from '../util/truncate.ts';
import type { AdminTarget } from './api.ts';
import { adminOpenapi } from './openapi.ts';
import { type AdminReply, toJson } from './replies.ts';
import { loadFile, writeFile } from './scenario-file.ts';
import { showCall } from './show-call.ts';

/** A path that is not a command, since it takes or sends something other than one JSON value. */
export interface FurtherRoute {
  readonly method: 'GET' | 'POST';
  /** One sentence for OpenAPI. */
  readonly summary: string;
  /** The type of the reply. */
  readonly type: string;
  /** The parameters of its query, each with its possible values; none if any text is possible. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly answer: (asked: {
    readonly target: AdminTarget;
    /** The name of the session. */
    readonly session: string;
    /** The context of the session: its first use begins the session. */
    readonly context: Context;
    readonly query: Readonly<Record<string, string>>;
    readonly call: RawCall;
  }) => AdminReply | Promise<AdminReply>;
}

/** By path, below the root. */
export const furtherRoutes: Readonly<Record<string, FurtherRoute>> = {
  '/': {
    method: 'GET',
    summary: 'Lists all commands, each with an example call. A browser gets the control room.',
    type: 'application/json',
    answer: () => toJson(allCommands.map(toEntry), 2),
  },
  '/health': {
    method: 'GET',
    summary:
      'Returns the status of the server, and what it serves. Without a token that is required, only the status.',
    type: 'application/json',
    answer: ({ target: { version }, context }) => {
      const { name, whole } = context.open().start;
      return toJson({ status: 'ok', version, scenario: name, seed: whole.seed });
    },
  },
  '/openapi.json': {
    method: 'GET',
    summary: 'Returns this document.',
    type: 'application/json',
    answer: ({ target }) => toJson(adminOpenapi(target.version, furtherRoutes)),
  },
  '/metrics': {
    method: 'GET',
    summary: 'Returns the metrics of the server and its process, in the text format of Prometheus.',
    type: 'text/plain',
    answer: ({ target }) => readMetrics(target),
  },
  '/events': {
    method: 'GET',
    summary:
      'Streams server-sent events. Event types: "request" for each request, "change" for each change of the world, and "world" if the world is created, deleted, reloaded or removed. With sessions=all, those of all sessions, each with the name of its session.',
    type: 'text/event-stream',
    query: { bodies: ['true', 'false'], sessions: ['all'] },
    answer: ({ target, session, query }) => {
      const refusal = target.sessions.resumeStored(session);
      if (refusal !== undefined) throw refusal;
      const stream = { isForAll: 'sessions' in query, bodies: query.bodies !== 'false' };
      return { status: 200, headers: {}, body: '', stream };
    },
  },
  '/scenario/file': {
    method: 'POST',
    summary:
      'Restarts the world from the text of a scenario file, YAML or JSON. The scenario gets the name of the file, without its ending.',
    type: 'application/json',
    query: { name: [] },
    answer: async ({ context, query, call }) => toJson(await loadFile(context, query.name ?? '', call)),
  },
  '/state/file': {
    method: 'GET',
    summary: 'Returns the current state as a scenario file, under the name of its scenario. Default: YAML.',
    type: 'application/yaml',
    query: { format: ['yaml', 'json'] },
    answer: ({ context, query }) => writeFile(context, query.format ?? 'yaml'),
  },
};

const toEntry = (command: NamedCommand) => ({
  name: command.name,
  summary: command.summary,
  call: showCall(command),
});

const readMetrics = async ({ metrics }: AdminTarget): Promise<AdminReply> => {
  try {
    const { text, type } = await metrics();
    return { status: 200, headers: { 'content-type': type }, body: text };
  } catch (error) {
    throw new ControlError(500, `Failed to read the metrics: ${clientMessageOf(error)}`);
  }
};

/** Checks the query of a further route. @throws Error on an unknown parameter or value */
export const checkQuery = (
  path: string,
  query: Readonly<Record<string, string>>,
  known: FurtherRoute['query'] = {},
): void => {
  for (const [name, value] of Object.entries(query)) {
    const values = ownValue(known, name);
    if (values === undefined)
      throw new Error(
        `Unknown query parameter "${truncate(name)}" of ${path}.${endSentence(suggest(name, Object.keys(known)))}`,
      );
    if (values.length > 0 && !values.includes(value))
      throw new Error(
        `The query parameter "${name}" of ${path} must be ${values.join(' or ')}, but found "${truncate(value)}".`,
      );
  }
};

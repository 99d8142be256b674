// A user's own calls: `defineCall`, and how a call becomes an operation beside those of the contract.
import * as z from 'zod';
import type { AnyOperation, MakePage, OwnOperation, OwnParsedCall } from '../../core/operations/operation.ts';
import type { Reply } from '../../core/protocol/call.ts';
import { ControlError, GatewayError } from '../../core/protocol/errors.ts';
import { paramsIn } from '../../core/protocol/paths.ts';
import { refuse } from '../../core/protocol/refuse.ts';
import { matchPath } from '../../core/protocol/router.ts';
import { clientMessageOf, messageOf } from '../../core/util/message-of.ts';
import { parseOptions } from '../../core/util/parse-options.ts';
import { toPathText } from '../../core/util/path-text.ts';
import { endSentence } from '../../core/util/sentence.ts';
import { runCommand } from '../control/call-command.ts';
import type { CommandContext } from '../control/command.ts';
import { allCommands, readArguments, toMethods } from '../control/control.ts';
import type { Control, Duration } from '../control/control-interface.ts';
import type { Session } from '../control/session.ts';
import { checkStatus, createEvents, InvalidReply, OwnReply, toReply } from './own-reply.ts';

/** The names of the parameters in a path: `'thread_id'` for `'/threads/{thread_id}/runs'`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** A call as `handle` gets it. */
export interface OwnCall<Path extends string = string, Body = Readonly<Record<string, unknown>>> {
  /** The parameters of the path, decoded. */
  readonly params: { readonly [Name in PathParams<Path>]: string };
  /** The parameters of the query, decoded; of a repeated parameter, the last value. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /**
   * The JSON object in the body; `{}` if there is none. Integers beyond 2^53 are bigints. `OwnCall<'/path', { name?: string }>` gives it
   * a type, which nothing checks.
   */
  readonly body: Body;
  /** Returns the value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

/** The methods of an interface, which return their results in place of promises. */
export type Synchronous<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : Synchronous<Methods[Name]>;
};

/** The functions and values that `handle` can use to answer a call. */
export interface OwnCallTools {
  /**
   * The records of the call's session: the methods of `control.records`, without promises. Their errors become a 400 unless
   * `handle` catches them.
   */
  readonly records: Synchronous<Control['records']>;
  /** The time of the session's clock, in seconds since 1970. */
  readonly now: number;
  /**
   * Makes a reply with another status or with headers.
   *
   * @param body is sent as JSON; text, bytes (`Uint8Array`) and the pieces of a stream or iterator are sent as they are, and null is no body
   */
  readonly reply: (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => object;
  /**
   * Makes a stream of server-sent events: of each value its JSON; of a text the text, such as `'[DONE]'`; of `{ event, data }` an event
   * with that name. With `every`, they come with a pause in real time between them.
   *
   * @example
   * handle: (_call, { events }) => events([{ delta: 'Hel' }, { delta: 'lo' }, '[DONE]'], { every: '50ms' })
   */
  readonly events: (
    values: Iterable<unknown> | AsyncIterable<unknown>,
    options?: { readonly every?: Duration | number },
  ) => object;
  /**
   * Makes a page of a list of your own, with the cursors, errors and page faults of the contract's lists: `limit` (1 to 100, default 20),
   * `order`, `after` and `before`. The first record is on the first page; `order=asc` begins with the last record.
   *
   * @param records all of them, each with an `id`
   * @param query that of the call
   */
  readonly page: <Item extends { readonly id: string }>(
    records: readonly Item[],
    query: Readonly<Record<string, string | undefined>>,
  ) => { readonly data: readonly Item[]; readonly has_more: boolean };
  /** Ends the call with an error in the gateway's form. */
  readonly refuse: (status: number, message: string) => never;
}

/** A schema of zod, of any version with `safeParse`. */
export interface CallSchema<Value = unknown> {
  readonly safeParse: (value: unknown) =>
    | { readonly success: true; readonly data: Value }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/** A call that the contract does not have. */
export interface CallDefinition<Path extends string = string, Body = Readonly<Record<string, unknown>>> {
  /** Its name, for faults, the journal and OpenAPI: letters and digits, such as `createRun`. */
  readonly id: string;
  /** The HTTP method. A call with GET also answers HEAD. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with parameters in braces: `/threads/{thread_id}/runs`. */
  readonly path: Path;
  /** Whether `x-gateway-virtual-key` is required. Default: false. */
  readonly virtualKey?: boolean | undefined;
  /** Whether the beta header is checked as it is for runs. Default: false. */
  readonly betaHeader?: boolean | undefined;
  /** One sentence for OpenAPI. Default: its id. */
  readonly summary?: string | undefined;
  /** A schema of zod for the JSON body: a call that does not match gets 400, and `handle` gets what the schema returns. OpenAPI shows it. */
  readonly body?: CallSchema<Body> | undefined;
  /** A schema of zod for the JSON of a reply with status 200: if `handle` returns something else, the client gets a 500. OpenAPI shows it. */
  readonly reply?: CallSchema | undefined;
  /** Returns the body of the reply with status 200, a `reply` or `events`, a `Response`, a stream or an iterator; or a promise of one. */
  readonly handle: (call: OwnCall<Path, Body>, tools: OwnCallTools) => object;
}

/** A call that `defineCall` has checked. */
export interface DefinedCall extends Omit<CallDefinition, 'handle' | 'body'> {
  readonly body?: CallSchema | undefined;
  // A method, whose parameters TypeScript compares less strictly, so that a call with any parameters fits.
  handle(call: OwnCall<never, never>, tools: OwnCallTools): object;
}

export const callSchema = z.custom<CallSchema>(
  (value) => typeof Object(value).safeParse === 'function',
  'a schema of zod, such as z.object({ name: z.string() })',
);

const definition = z.strictObject({
  id: z.string().regex(/^[A-Za-z]\w*$/, 'a name of letters and digits, such as createRun'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z
    .string()
    .refine((path) => !/\/:/.test(path), {
      error: ({ input }) =>
        `a path with its parameters in braces: ${String(input).replace(/:(\w+)/g, '{$1}')}`,
    })
    .regex(
      /^(?!\/v1\/)(?:\/(?:[^/{}?#\s]+|\{\w+\}))+$/,
      'a path without /v1, such as /threads/{thread_id}/runs',
    ),
  virtualKey: z.boolean().optional(),
  betaHeader: z.boolean().optional(),
  summary: z.string().optional(),
  body: callSchema.optional(),
  reply: callSchema.optional(),
  handle: z.custom<DefinedCall['handle']>((value) => typeof value === 'function', 'a function'),
});

/**
 * Defines a call of your own, for the option `calls`.
 *
 * @throws Error if a part is missing or wrong
 * @example
 * const retrieveBatch = defineCall({
 *   id: 'retrieveBatch',
 *   method: 'GET',
 *   path: '/batches/{batch_id}',
 *   virtualKey: true,
 *   handle: ({ params }, { records, refuse }) =>
 *     records.batches.get(params.batch_id) ?? refuse(404, `No batch found with id '${params.batch_id}'.`),
 * });
 * const gateway = createGateway({ calls: [retrieveBatch] });
 */
export const defineCall = <const Path extends string, Body = Readonly<Record<string, unknown>>>(
  call: CallDefinition<Path, Body>,
): DefinedCall => {
  checkDefinition(definition, call, `the call "${String(Object(call).id)}"`);
  return { ...call };
};

/** @throws Error that names the definition, if a part of it is missing or wrong */
export const checkDefinition = (schema: z.ZodObject, value: object, name: string): void => {
  try {
    parseOptions(schema, value);
  } catch (error) {
    throw new Error(`Failed to define ${name}: ${messageOf(error)}`);
  }
};

/** Whether a value has the parts of a call, as `defineCall` of any copy of the package makes it. */
export const isDefinedCall = (value: unknown): value is DefinedCall => definition.safeParse(value).success;

/** Adds the user's own calls to operations, as further operations. @throws Error if an id is taken, or another operation answers its path */
export const withOwnCalls = (
  operations: readonly AnyOperation[],
  calls: readonly DefinedCall[],
  commandContextOf: (session: string) => CommandContext,
): AnyOperation[] => {
  const all = [...operations];
  // `/batches/search` comes before `/batches/{batch_id}`. The exports of a module have no order of their own.
  const ordered = calls.toSorted((a, b) => paramsIn(a.path).length - paramsIn(b.path).length);
  for (const call of ordered) {
    const { id, method, path } = call;
    const other = all.find((operation) => operation.id === id) ?? matchPath(all, path, method)?.operation; // it takes all requests of this path
    if (other !== undefined)
      throw new Error(
        `Failed to add the call "${id}": ${other.id === id ? 'its id' : `${method} ${path}`} is that of the ${other.source === 'own call' ? 'call' : 'operation'} "${other.id}" (${other.method} ${other.path}).`,
      );
    all.push(toOperation(call, commandContextOf));
  }
  return all;
};

const toOperation = (
  defined: DefinedCall,
  commandContextOf: (session: string) => CommandContext,
): OwnOperation => {
  const { id, method, path, virtualKey = false, betaHeader = false } = defined;
  const route = { id, method, path };
  return {
    ...route,
    contract: {
      ...route,
      section: 'own call',
      virtualKey,
      betaHeader,
      params: z.object(Object.fromEntries(paramsIn(path).map((name) => [name, z.string()]))),
      query: z.looseObject({}),
      ...(method !== 'GET' && { body: z.looseObject({}) }),
      reply: z.unknown(),
    },
    kinds: [],
    listsKind: undefined,
    source: 'own call',
    handle: (parsed, world, makePage) => {
      const context = keepWorld(commandContextOf(parsed.session));
      return runHandler(defined, parsed, toTools(context, world.clock.now(), makePage), context.onFailure);
    },
  };
};

/**
 * Checks the body and runs `handle`. Refusals keep their status; any other error, or an invalid result, becomes a 500 that names
 * the call.
 */
const runHandler = (
  defined: DefinedCall,
  { params, query, body, header }: OwnParsedCall,
  tools: OwnCallTools,
  onFailure: CommandContext['onFailure'],
): Reply | Promise<Reply> => {
  const failWith = (error: unknown): never => {
    if (error instanceof GatewayError) throw error;
    if (!(error instanceof InvalidReply))
      console.error(`gateway-mock: the call "${defined.id}" failed.`, error);
    const problem =
      error instanceof InvalidReply ? error.message : `threw an error: ${clientMessageOf(error)}`;
    const message = endSentence(`The call "${defined.id}" ${problem}`);
    onFailure(message);
    return refuse('own-call', { status: 500, message });
  };
  try {
    // The names of the parameters are those in the path.
    const own = { params, query, body: checkBody(defined, body), header } as OwnCall<never, never>;
    const result: unknown = defined.handle(own, tools);
    const convert = (value: unknown) => toReply(value, defined.reply);
    const isLate = typeof Object(result).then === 'function';
    return isLate ? Promise.resolve(result).then(convert).catch(failWith) : convert(result);
  } catch (error) {
    return failWith(error);
  }
};

/** The body as the schema of the call returns it. @throws GatewayError 400 that names the field */
const checkBody = (defined: DefinedCall, body: unknown): unknown => {
  const result = defined.body?.safeParse(body) ?? { success: true, data: body };
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const param = toPathText(issue?.path ?? []);
  return refuse('own-call', {
    status: 400,
    message: `Invalid body: ${param || 'it'}: ${issue?.message}`,
    param,
  });
};

/** The context of a call. Its handler may take long: if another world gets the name of its session, it refuses to write there. */
const keepWorld = (context: CommandContext): CommandContext => {
  const { worldId } = context.open();
  const open = (): Session => {
    const session = context.open();
    if (session.worldId === worldId) return session;
    return refuse('own-call', {
      status: 410,
      message: `The session "${session.name}" began again while the call was answered.`,
    });
  };
  return { ...context, open, changeGroup: Symbol('own call') };
};

const recordCommands = allCommands.filter(({ name }) => name.startsWith('records.'));

const toTools = (context: CommandContext, now: number, makePage: MakePage): OwnCallTools => ({
  // Made when it is first read: it has a method for each command.
  get records() {
    const { records } = toMethods([...recordCommands, ...context.ownCommands()], (command) => (...args) => {
      try {
        return runCommand(command, context, readArguments(command, args).input);
      } catch (error) {
        if (error instanceof GatewayError) throw error;
        const { status = 400 } = error instanceof ControlError ? error : {};
        return refuse('own-call', { status, message: messageOf(error) });
      }
    });
    return records as OwnCallTools['records']; // the names are those of the tree of commands
  },
  now,
  reply: (...parts) => new OwnReply(...parts),
  events: createEvents,
  page: makePage as OwnCallTools['page'], // a page has records of its list
  refuse: (status, message) => {
    checkStatus(status);
    return refuse('own-call', { status, message });
  },
});

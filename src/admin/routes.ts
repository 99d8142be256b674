import * as z from 'zod';
import type { Control } from '../control/control.ts';
import { controlOf, type RecordControl } from '../control/records.ts';
import { requestFilter, textOf } from '../journal/filter.ts';
import type { ListId } from '../operations/ids.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Resource } from '../world/kind.ts';
import { type CallId, calls, type Line, maxRecords, readCall } from './calls.ts';

/** What a call of the admin API is told by its path, its query and its body. */
export interface Input<Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Ends what is waited for, where the client has gone. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call of the admin API takes, and which method of the control it is. */
export interface Route<Body = never, Result = unknown> {
  readonly summary: string;
  /** What it is given: in the query of a GET, in the JSON body of any other call. */
  readonly input: z.ZodType<Body>;
  /** Whether no body at all is a mistake: to others it is an empty one. */
  readonly needsBody?: boolean;
  /** Whether it takes keys that are reserved elsewhere, such as `__proto__`. */
  readonly takesAnyKey?: boolean;
  readonly run: (control: Control, input: Input<Body>) => Promise<Result>;
}

const nothing: z.ZodType<object> = z.strictObject({});

const route = <Result>(
  summary: string,
  run: (control: Control, input: Input<object>) => Promise<Result>,
): Route<object, Result> => ({ summary, input: nothing, run });

const withInput = <Body, Result>(
  summary: string,
  input: z.ZodType<Body>,
  run: (control: Control, input: Input<Body>) => Promise<Result>,
): Route<Body, Result> => ({ summary, input, run });

/** A scenario by its name or as an object: what it holds is checked where it is loaded. */
const scenario = z.union([z.string(), z.looseObject({})]).transform((given) => given as string | Scenario);

const object = z.looseObject({});

/** What a template may name: a schema of a mapping would leave `__proto__` out. */
const variables = z
  .unknown()
  .refine((given) => object.safeParse(given).success, 'no mapping')
  .transform((given) => Object(given) as object)
  .prefault({})
  .meta({ type: 'object' });

const kindOf = ({ records }: Control, { kind = '' }: Input<unknown>['params']): RecordControl<Resource> =>
  controlOf(records, kind);

/** As many as a list takes where nobody says how many: a world may have hundreds of thousands. */
const defaultRecords = 100;

const idOf = ({ id = '' }: Input<unknown>['params']): string => id;
const nameOf = ({ name = '' }: Input<unknown>['params']): string => name;

/** What each call of the admin API does: how it looks over HTTP is in `calls.ts`. */
export const routes = {
  'scenario.current': route('The scenario that the world started from.', (control) =>
    control.scenario.current(),
  ),
  'scenario.load': withInput(
    'Starts the world anew from a scenario: a name, or an object.',
    z.strictObject({ scenario }),
    (control, { body }) => control.scenario.load(body.scenario),
  ),
  'scenario.list': route('The scenarios that can be loaded by name.', (control) => control.scenario.list()),
  reset: route('Returns the world to the start of its scenario.', (control) => control.reset()),

  'clock.now': route("The world's time.", (control) => control.clock.now()),
  'clock.set': withInput(
    'Moves the time to a moment.',
    z.strictObject({ now: z.union([z.string(), z.number()]) }),
    (control, { body }) => control.clock.set(body.now),
  ),
  'clock.advance': withInput(
    'Moves the time on, or back: seconds, or a text such as 10m.',
    z.strictObject({ duration: z.union([z.string(), z.number()]) }),
    (control, { body }) => control.clock.advance(body.duration),
  ),
  'clock.run': withInput(
    'Lets the time run by itself, so many times as fast as the wall clock.',
    z.strictObject({ speed: z.number().default(1) }),
    (control, { body }) => control.clock.run(body.speed),
  ),
  'clock.freeze': route('Lets the time stand still.', (control) => control.clock.freeze()),

  'clock.next': route(
    'Moves to the next moment at which a run or a batch changes its state, or a record appears.',
    (control) => control.clock.next(),
  ),
  'clock.upcoming': route('The moment of the next change; 204 where there is none.', (control) =>
    control.clock.upcoming(),
  ),
  'clock.timeline': withInput(
    'The states of runs and batches, past and to come: those that change next come first.',
    z.strictObject({ limit: z.int().min(0).exactOptional() }),
    (control, { body }) => control.clock.timeline(body),
  ),

  'records.list': withInput(
    `The records of one kind, newest first, ${defaultRecords} unless limit says otherwise; the next ones by after, the id of the last. Those of one owner by thread_id or fine_tuning_job_id.`,
    z.strictObject({
      order: z.enum(['asc', 'desc']).exactOptional(),
      limit: z.int().min(0).max(maxRecords).default(defaultRecords),
      after: z.string().exactOptional(),
      thread_id: z.string().exactOptional(),
      fine_tuning_job_id: z.string().exactOptional(),
    }),
    (control, { params, body }) => kindOf(control, params).list(body),
  ),
  'records.create': withInput(
    'Makes a record: fields that are not given are seeded.',
    object,
    (control, { params, body }) => kindOf(control, params).create(body),
  ),
  'records.get': route('One record; 204 where there is none.', (control, { params }) =>
    kindOf(control, params).get(idOf(params)),
  ),
  'records.update': withInput('Changes fields of a record.', object, (control, { params, body }) =>
    kindOf(control, params).update(idOf(params), body),
  ),
  'records.delete': route('Takes a record out.', (control, { params }) =>
    kindOf(control, params).delete(idOf(params)),
  ),
  'records.prompts.render': {
    ...withInput(
      'Renders a prompt without a call: its messages, and the variables that are missing.',
      z.strictObject({ variables }),
      (control, { params, body }) => control.records.prompts.render(idOf(params), body.variables),
    ),
    takesAnyKey: true,
  },

  'faults.list': withInput(
    'The faults of the world, with their calls and hits; with unused=true those alone that have not come into play.',
    z.strictObject({
      unused: z
        .boolean()
        .exactOptional()
        .describe('Only those that have not come into play, each with the reason.'),
    }),
    (control, { body }) => control.faults.list(body),
  ),
  'faults.add': withInput(
    'Adds faults, each as its line.',
    z.strictObject({ faults: z.array(z.string()) }),
    (control, { body }) => control.faults.add(...body.faults),
  ),
  'faults.clear': route('Takes all faults out.', (control) => control.faults.clear()),
  'faults.remove': route('Takes a fault out, by its id or its line.', (control, { params }) =>
    control.faults.remove(idOf(params)),
  ),

  'quotas.list': route('What is used up of the active policies.', (control) => control.quotas.list()),
  'quotas.isEnforced': route('Whether the active policies are enforced.', (control) =>
    control.quotas.isEnforced(),
  ),
  'quotas.enforce': route('Enforces the active policies.', (control) => control.quotas.enforce()),
  'quotas.lift': route('No longer enforces them.', (control) => control.quotas.lift()),
  'quotas.refill': route('Gives back all that was used.', (control) => control.quotas.refill()),

  'requests.list': withInput(
    'The requests of the world, oldest first.',
    requestFilter
      .unwrap()
      .extend({ limit: z.int().min(0).exactOptional(), bodies: z.boolean().exactOptional() }),
    (control, { body: { limit, bodies, ...filter } }) => control.requests.list(filter, { limit, bodies }),
  ),
  'requests.get': route('One request, by its x-request-id; 204 where there is none.', (control, { params }) =>
    control.requests.get(idOf(params)),
  ),
  'requests.count': withInput('How many requests there were.', requestFilter, (control, { body }) =>
    control.requests.count(body),
  ),
  'requests.wait': withInput(
    'Answers as soon as there were so many such requests; times are in milliseconds.',
    requestFilter.unwrap().extend({ count: z.int().exactOptional(), timeout: z.number().exactOptional() }),
    (control, { body: { count, timeout, ...filter }, signal }) =>
      control.requests.wait(filter, { count, timeout, signal }),
  ),
  'requests.walk': withInput(
    'Whether a client that walked a list saw every record exactly once, and stopped.',
    z.strictObject({
      operation: textOf<ListId>(),
      params: z.record(z.string(), z.string()).exactOptional(),
      seen: z.array(z.string()).exactOptional(),
    }),
    (control, { body: { operation, ...options } }) => control.requests.walk(operation, options),
  ),
  'requests.clear': route('Forgets all requests.', (control) => control.requests.clear()),

  'state.export': route('The present state as a scenario.', (control) => control.state.export()),
  'state.changes': route("What differs from the world's start.", (control) => control.state.changes()),
  'state.import': {
    ...withInput(
      "Takes a scenario for the world's start.",
      object.transform((given) => given as Scenario),
      (control, { body }) => control.state.import(body),
    ),
    needsBody: true,
  },
  'state.save': route('Keeps the present state under a name.', (control, { params }) =>
    control.state.save(nameOf(params)),
  ),
  'state.restore': route('Returns to a state that was saved.', (control, { params }) =>
    control.state.restore(nameOf(params)),
  ),

  'sessions.list': route('The names of the sessions, the least recently used first.', (control) =>
    control.sessions.list(),
  ),
  'sessions.create': withInput(
    'Makes a session anew, from another one or from a scenario: also one that was removed for lack of room.',
    z.strictObject({ session: z.string().exactOptional(), scenario: scenario.exactOptional() }),
    (control, { params, body }) => control.sessions.create(nameOf(params), body),
  ),
  'sessions.delete': route('Ends a session.', (control, { params }) =>
    control.sessions.delete(nameOf(params)),
  ),

  'assumptions.list': route('Every assumption, with its value here.', (control) =>
    control.assumptions.list(),
  ),
} satisfies Record<CallId, unknown>;

export type Routes = typeof routes;

/** A route, whatever it takes, with its line. */
export interface AnyRoute extends Route<unknown>, Line {
  readonly id: string;
}

/** All of them. Each takes what has passed its own schema. */
export const allRoutes: readonly AnyRoute[] = (Object.keys(calls) as CallId[]).map((id) => ({
  id,
  ...readCall(id),
  ...(routes[id] as unknown as Route<unknown>), // its input has passed its own schema
}));

import type { AssumptionInUse } from '../../core/assumptions/marking.ts';
import type { BatchState, RunState } from '../../core/assumptions/record-states.ts';
import type { AssumptionId, ChoiceOf } from '../../core/assumptions/table.ts';
import type { FaultInfo } from '../../core/faults/fault.ts';
import type { FaultChange } from '../../core/faults/faults.ts';
import type { FaultLine } from '../../core/faults/line.ts';
import type { ExpectOptions } from '../../core/journal/expect.ts';
import type { RecordedRequest } from '../../core/journal/recorded-request.ts';
import type { RequestFilter } from '../../core/journal/request-filter.ts';
import type { WaitOptions } from '../../core/journal/wait-for-requests.ts';
import type { RecordedWalk, WalkOptions, WalkReport } from '../../core/journal/walks.ts';
import type { Policy } from '../../core/operations/get-rate-limits-policy/types.ts';
import type { ListId } from '../../core/operations/ids.ts';
import type { Batch } from '../../core/operations/list-batches/types.ts';
import type { Checkpoint } from '../../core/operations/list-checkpoints/types.ts';
import type { Run } from '../../core/operations/list-runs/types.ts';
import type { PromptInfo, PromptPreview, StoredPrompt } from '../../core/operations/render-prompt/types.ts';
import type { QuotaInfo } from '../../core/quotas/quotas.ts';
import type { StateChange } from '../../core/scenario/compare.ts';
import type { Scenario, ScenarioName } from '../../core/scenario/scenario-types.ts';
import type { Resource } from '../../core/world/kind.ts';
import type { OwnRecord } from '../../core/world/own-section.ts';
import type { ChangeHistory } from './history.ts';
import type { StatusHistory } from './status-histories.ts';

/** Controls one world: in process, or over HTTP by `connect`. Every method is asynchronous. */
export interface Control {
  /** The scenario that the world started from. */
  readonly scenario: {
    /**
     * Returns the scenario that the world started from.
     *
     * @example
     * const { name, seed } = await control.scenario.current();
     */
    readonly current: () => Promise<ScenarioInfo>;
    /**
     * Restarts the world from a scenario, by its name or as an object. If it is invalid, the world stays as it is.
     *
     * @throws ScenarioError
     * @example
     * await control.scenario.load('in-flight');
     */
    readonly load: (scenario: ScenarioName | Scenario) => Promise<ScenarioInfo>;
    /**
     * Returns an API key and a virtual key that the session accepts. Of those that the scenario lists, it is the first that is
     * neither expired nor exhausted, if there is one for all operations; `any` if it lists none.
     *
     * @example
     * const { apiKey, virtualKey } = await control.scenario.keys();
     */
    readonly keys: () => Promise<ScenarioKeys>;
    /**
     * Lists the scenarios that can be loaded by name. Files with validation errors are left out.
     *
     * @example
     * const names = (await control.scenario.list()).map(({ name }) => name);
     */
    readonly list: () => Promise<ScenarioInfo[]>;
  };
  /** The time of the world. Runs, batches and checkpoints follow it; nothing waits. */
  readonly clock: {
    /**
     * Returns the time of the world.
     *
     * @example
     * const { now } = await control.clock.now();
     */
    readonly now: () => Promise<ClockInfo>;
    /**
     * Moves the clock by a number of seconds, or by a duration such as `'10m'`, `'1h30m'` or `'-2d'`.
     *
     * @throws Error if the duration cannot be read, or leads out of the years 1970 to 9999
     * @example
     * await control.clock.advance('10m');
     */
    readonly advance: (by: Duration | number) => Promise<ClockInfo>;
    /**
     * Sets the clock to a date-time such as `'2026-01-15T13:00:00Z'`, or to seconds since 1970.
     *
     * @throws Error if the time cannot be read, or is not in the years 1970 to 9999
     * @example
     * await control.clock.set('2026-01-15T13:00:00Z');
     */
    readonly set: (now: string | number) => Promise<ClockInfo>;
    /**
     * Moves the clock to the next time at which a run or a batch changes its status, or a record appears.
     *
     * @throws Error if nothing will change
     * @example
     * await control.scenario.load('in-flight');
     * const { now } = await control.clock.next();
     */
    readonly next: () => Promise<ClockInfo>;
    /**
     * Returns the time of the next change, as a date-time; undefined (over HTTP: null) if nothing will change.
     *
     * @example
     * const time = await control.clock.upcoming();
     */
    readonly upcoming: () => Promise<string | undefined>;
    /**
     * Lets the clock run, `speed` times as fast as real time: a speed of 60 means one minute per second. Default: 1.
     *
     * @example
     * await control.clock.run(60);
     */
    readonly run: (speed?: number) => Promise<ClockInfo>;
    /**
     * Freezes the clock at its current time.
     *
     * @example
     * await control.clock.freeze();
     */
    readonly freeze: () => Promise<ClockInfo>;
    /**
     * Lists the states of runs and batches, past and future. Those that change next come first, then those that changed last.
     *
     * @param options `limit`: how many, at most 10,000. Default: 100; `search`: a part of the id of the record or its thread
     * @throws Error if more than 20,000 runs and batches may still change
     * @example
     * const [next] = await control.clock.timeline({ limit: 10 });
     */
    readonly timeline: (options?: {
      readonly limit?: number | undefined;
      readonly search?: string | undefined;
    }) => Promise<StatusHistory[]>;
  };
  /** The records of the world, by kind. */
  readonly records: {
    /** Threads. They have nothing but an id. */
    readonly threads: RecordMethods<Resource, Partial<Resource>>;
    /** Runs. Each belongs to a thread. */
    readonly runs: RecordMethods<
      Run,
      WritableFields<RunState, Run>,
      { readonly thread_id: string },
      EndOptions<RunState>
    > &
      StatusMethods<Run, RunState>;
    /** Batches. */
    readonly batches: RecordMethods<
      Batch,
      WritableFields<BatchState, Batch>,
      object,
      EndOptions<BatchState>
    > &
      StatusMethods<Batch, BatchState>;
    /** Fine-tuning jobs. They have nothing but an id. */
    readonly jobs: RecordMethods<Resource, Partial<Resource>>;
    /** Checkpoints. Each belongs to a fine-tuning job. */
    readonly checkpoints: RecordMethods<
      Checkpoint,
      Partial<Checkpoint>,
      { readonly fine_tuning_job_id: string }
    >;
    /** Rate-limits policies. */
    readonly policies: RecordMethods<Policy, Partial<Policy>>;
    /** Stored prompts, with all their versions. */
    readonly prompts: RecordMethods<StoredPrompt, Partial<StoredPrompt>> & {
      /**
       * Renders a prompt without a call: its messages, and the variables that are missing. No key is needed, and the journal does not
       * list it.
       *
       * @param id as in a call: `prompt_versions@2`
       * @throws Error if there is no such prompt, or its template cannot be rendered
       * @example
       * const { messages, missing } = await control.records.prompts.render('prompt_welcome', { name: 'Ada' });
       */
      readonly render: (id: string, variables?: object) => Promise<PromptPreview>;
      /**
       * Describes a prompt: its variables, partials and versions, an example of variables, and what is probably a slip.
       *
       * @param id as in a call: `prompt_versions@2`
       * @throws Error if there is no such prompt
       * @example
       * const { variables, example } = await control.records.prompts.describe('prompt_welcome');
       */
      readonly describe: (id: string) => Promise<PromptInfo>;
    };
    /** The records of your own kinds (`defineRecords`), by the names of the kinds, such as `records.own.files`. */
    readonly own: Readonly<Record<string, RecordMethods<OwnRecord>>>;
  };
  /** Faults, which make calls fail, or replies late or wrong. */
  readonly faults: {
    /**
     * Adds faults, each written as a line, after the present faults. If several match a call, the first one wins.
     *
     * @throws Error if a line is invalid: then none is added
     * @example
     * await control.faults.add('listRuns#3: reset', 'renderPrompt share=10%: 429 retry-after=0');
     */
    readonly add: (...faults: FaultLine[]) => Promise<FaultInfo[]>;
    /**
     * Lists the faults in their order, each with the number of calls that matched it and that it changed, and whether it is spent.
     *
     * @param options `unused: true` lists only faults without an effect so far, each with the reason
     * @example
     * const unused = await control.faults.list({ unused: true });
     */
    readonly list: (options?: { readonly unused?: boolean | undefined }) => Promise<FaultInfo[]>;
    /**
     * Changes the line of a fault, switches it off or on, or restarts it. It keeps its id and its position. Its counts begin again
     * with a new line, and with `restart`, which lets a spent fault act again.
     *
     * @throws Error if there is no such fault, the line is invalid, or the time of a fault to restart has ended
     * @example
     * const [fault] = await control.faults.add('listRuns: 503');
     * await control.faults.update(fault.id, { off: true });
     * await control.faults.update(fault.id, { off: false, restart: true });
     */
    readonly update: (id: string, change: FaultChange) => Promise<FaultInfo>;
    /**
     * Removes a fault by its id or its line. Returns false if there is no such fault.
     *
     * @example
     * await control.faults.add('listRuns: 503');
     * await control.faults.remove('listRuns: 503');
     */
    readonly remove: (id: string) => Promise<boolean>;
    /**
     * Removes all faults.
     *
     * @example
     * await control.faults.clear();
     */
    readonly clear: () => Promise<void>;
  };
  /** The enforced rate limits. */
  readonly quotas: {
    /**
     * Returns whether the active policies are enforced.
     *
     * @example
     * if (await control.quotas.isEnforced()) await control.quotas.lift();
     */
    readonly isEnforced: () => Promise<boolean>;
    /**
     * Enforces the active policies on the calls that the assumption `quota-scope` names. If no call can match one of them, it prints
     * a warning and returns it.
     *
     * @example
     * await control.quotas.enforce();
     */
    readonly enforce: () => Promise<string | undefined>;
    /**
     * Stops enforcing the policies. What was used stays counted.
     *
     * @example
     * await control.quotas.lift();
     */
    readonly lift: () => Promise<void>;
    /**
     * Lists the active policies, each with how many calls it applied to, how much is used and left in the current window, by
     * group, and why no call can match it (`never`).
     *
     * @example
     * const unused = (await control.quotas.list()).filter(({ matched }) => matched === 0);
     */
    readonly list: () => Promise<QuotaInfo[]>;
    /**
     * Sets the usage of all policies back to zero.
     *
     * @example
     * await control.quotas.refill();
     */
    readonly refill: () => Promise<void>;
  };
  /** The journal: the requests that this world received since its start. */
  readonly requests: {
    /**
     * Lists the requests that match a filter, oldest first.
     *
     * @throws Error if the journal has dropped requests, unless it still has as many matching requests as `limit`, or `kept` is set
     * @example
     * const failed = await control.requests.list({ operation: 'listRuns', status: '4xx' }, { limit: 10 });
     */
    readonly list: (filter?: RequestFilter, options?: RequestListOptions) => Promise<RecordedRequest[]>;
    /**
     * Returns one request by its `x-request-id`, or by its number in the journal (`'3'`); undefined (over HTTP: null) if there is
     * none.
     *
     * @throws Error if the journal may have dropped the request
     * @example
     * const request = await control.requests.get('req_1');
     */
    readonly get: (id: string) => Promise<RecordedRequest | undefined>;
    /**
     * Counts the requests that match a filter.
     *
     * @throws Error if the journal has dropped requests, unless `kept` is set
     * @example
     * const count = await control.requests.count({ operation: 'listRuns' });
     */
    readonly count: (
      filter?: RequestFilter,
      options?: { readonly kept?: boolean | undefined },
    ) => Promise<number>;
    /**
     * Deletes all requests from the journal.
     *
     * @example
     * await control.requests.clear();
     */
    readonly clear: () => Promise<void>;
    /**
     * Waits until enough requests match a filter, and returns them. Those that came before count, unless `from` is `'now'`.
     * A request counts once its reply was sent, cut or lost; with `until: 'arrival'`, as soon as it arrives. The timeout is in
     * milliseconds.
     *
     * @throws Error if they do not come in time, with the last requests
     * @example
     * const requests = await control.requests.wait({ operation: 'listRuns' }, { count: 2 });
     */
    readonly wait: (filter?: RequestFilter, options?: WaitOptions) => Promise<RecordedRequest[]>;
    /**
     * Checks that requests were sent that match a filter, and returns them. `times` is how many: 0 is none; if it is undefined, at
     * least one. It looks once; with a `timeout`, in milliseconds, it waits. A request counts once its reply was sent, unless the filter
     * has `outcome`, `status: 'none'` or `unmatched: true`; of none, any outcome does.
     *
     * @throws Error (over HTTP: 409) with the nearest request and a diff by field, or with those that should not have come
     * @example
     * await control.requests.expect({ operation: 'listRuns', params: { thread_id: 'thread_demo' } }, { times: 2 });
     */
    readonly expect: (filter?: RequestFilter, options?: ExpectOptions) => Promise<RecordedRequest[]>;
    /**
     * Reports whether a client that walked the pages of a list saw every record exactly once, and stopped.
     *
     * @throws Error if the operation is not a list (an own call counts as a list once it has returned a `page`), was not called, or was called for several owners, or if the journal has
     * dropped requests
     * @example
     * const { exactlyOnce, missed } = await control.requests.walk('listRuns', { params: { thread_id: 'thread_demo' } });
     */
    readonly walk: (operation: ListId | (string & {}), options?: WalkOptions) => Promise<WalkReport>;
    /**
     * Lists the latest walks over lists, each with its pages, and the records that were seen, repeated or missed. A walk is the
     * calls of one client for one list, from a call without a cursor on. The latest comes first; at most 20 that went beyond the
     * first page. A first page alone, such as of a poll, is listed once for each client and list, with how many `times`.
     *
     * @example
     * const [latest] = await control.requests.walks();
     */
    readonly walks: () => Promise<RecordedWalk[]>;
  };
  /** The state of the world: saved, restored, exported and imported. */
  readonly state: {
    /**
     * Saves the current state in memory under a name. Default: `'saved'`.
     *
     * @throws Error if the session already has 100 saved states
     * @example
     * await control.state.save('before checkout');
     */
    readonly save: (name?: string) => Promise<void>;
    /**
     * Lists the saved states of the session, the latest last.
     *
     * @example
     * const names = (await control.state.list()).map(({ name }) => name);
     */
    readonly list: () => Promise<SavedStateInfo[]>;
    /**
     * Deletes a saved state. Default: `'saved'`. Returns false if no state has this name.
     *
     * @example
     * await control.state.delete('before checkout');
     */
    readonly delete: (name?: string) => Promise<boolean>;
    /**
     * Returns to a saved state. Default: `'saved'`.
     *
     * @throws Error if no state was saved under this name
     * @example
     * await control.state.save();
     * await control.clock.advance('1d');
     * await control.state.restore();
     */
    readonly restore: (name?: string) => Promise<void>;
    /**
     * Undoes the last change of the world, or all changes from a certain change on. A change is a command such as `clock.advance`,
     * `faults.remove` or `reset`. Records, faults, quotas, assumptions, the clock and the scenario are then as before the change.
     * Calls are not undone: the journal, the counts of faults, used quotas and the number of requests stay. So do saved states. If the
     * change replaced the state, as `reset` does, faults and quotas have the counts from before it.
     *
     * @param options `to`: the id of a change in `history`, to undo it together with all later ones. Default: the last change
     * @throws Error if there is no such change in the history
     * @example
     * await control.clock.advance('1h');
     * await control.state.undo();
     */
    readonly undo: (options?: { readonly to?: number | undefined }) => Promise<void>;
    /**
     * Takes back everything unusual in one change: turns all faults off, stops enforcing the quotas, sets all assumptions to their
     * defaults and freezes the clock. Records and the time stay as they are.
     *
     * @example
     * await control.faults.add('*: 503');
     * await control.state.normalize(); // calls succeed again
     */
    readonly normalize: () => Promise<void>;
    /**
     * Lists the last changes of the world, which can be undone: at most 20.
     *
     * @example
     * const { changes } = await control.state.history();
     */
    readonly history: () => Promise<ChangeHistory>;
    /**
     * Lists the differences from the world's start, by path in the scenario. Up to 500 are listed. Records are compared with what
     * they would be now without the change, so those that moved with the clock alone do not differ.
     *
     * @example
     * const changed = (await control.state.changes()).map(({ path }) => path);
     */
    readonly changes: () => Promise<StateChange[]>;
    /**
     * Returns the current state as a scenario. A world loaded from it, with the same options, sends the same bytes.
     *
     * @example
     * const scenario = await control.state.export();
     */
    readonly export: () => Promise<Scenario>;
    /**
     * Returns a hash of the current state, as 16 hex digits: states with equal exports have equal fingerprints. Records, keys, clock,
     * assumptions, faults and quotas with their counts are part of it, the name of the scenario and the number of requests are not.
     *
     * @example
     * const before = await control.state.fingerprint();
     * await control.clock.advance('1h');
     * await control.state.undo();
     * console.assert((await control.state.fingerprint()) === before);
     */
    readonly fingerprint: () => Promise<string>;
    /**
     * Restarts the world from a scenario object, as `scenario.load` does.
     *
     * @throws ScenarioError
     * @example
     * await control.state.import({ extends: 'in-flight', seed: 7 });
     */
    readonly import: (scenario: Scenario) => Promise<void>;
  };
  /**
   * The sessions of the gateway. Each has a world of its own. Beyond `maxSessions`, the least recently used sessions are removed. Calls
   * to a removed session fail (over HTTP: 410) until it is created again.
   */
  readonly sessions: {
    /**
     * Lists the names of the sessions, the least recently used first.
     *
     * @example
     * const names = await control.sessions.list();
     */
    readonly list: () => Promise<string[]>;
    /**
     * Creates a session from another session or from a scenario. An existing session with this name is replaced, and a removed one
     * can be used again.
     *
     * @throws Error if the name is invalid, or if there is no such session to copy
     * @throws ScenarioError
     * @example
     * await control.sessions.create('checkout-test', { scenario: 'in-flight' });
     */
    readonly create: (name: string, from?: SessionStart) => Promise<void>;
    /**
     * Ends a session. A later call with its name starts a new session. Returns false if there is no such session, and for the
     * default session, which stays.
     *
     * @example
     * await control.sessions.delete('checkout-test');
     */
    readonly delete: (name: string) => Promise<boolean>;
  };
  /** What the mock does where the contract is silent. */
  readonly assumptions: {
    /**
     * Lists every assumption, with its value in this world.
     *
     * @example
     * const used = (await control.assumptions.list()).filter(({ used }) => used > 0);
     */
    readonly list: () => Promise<AssumptionInUse[]>;
    /**
     * Changes the value of an assumption until the world is reset. Everything else in the world stays.
     *
     * @throws Error if there is no such assumption, if it has no such value, or if a record has a status that the value does not allow
     * @example
     * await control.assumptions.set('unknown-cursor', 'empty-page');
     */
    readonly set: <Id extends AssumptionId>(id: Id, choice: ChoiceOf<Id> | (string & {})) => Promise<void>;
  };
  /**
   * Returns the world to the start of its scenario.
   *
   * @example
   * await control.reset();
   */
  readonly reset: () => Promise<void>;
}

/** The methods of one kind of record. Times are in seconds since 1970. */
export interface RecordMethods<
  Value extends Resource = Resource,
  Fields extends object = object,
  Owner extends object = object,
  Options = never,
> {
  /**
   * Creates a record: the seed fills in the fields that you leave out. It is created now, so that it is the newest of its list,
   * unless you set `created_at`, or it is expired: then it is older. With a status, it stays as it is. Without a status, it
   * changes with the clock until it is `completed`.
   *
   * @param options only runs and batches: how it ends
   * @throws Error if a value breaks the contract, the status is unknown, the id is taken, there is no such owner, or it cannot end so
   * @example
   * const run = await control.records.runs.create({ thread_id: 'thread_demo', status: 'failed' });
   */
  readonly create: (fields: Fields & Owner, options?: Options) => Promise<Value>;
  /**
   * Changes fields of a record. From then on, the clock no longer changes it.
   *
   * @throws Error if a value breaks the contract, the status is unknown, or there is no such record
   * @example
   * const { id } = await control.records.batches.create({});
   * await control.records.batches.update(id, { metadata: { team: 'search' } });
   */
  readonly update: (id: string, fields: Fields) => Promise<Value>;
  /**
   * Changes the same fields of several records, as one change. If any of them cannot be changed, none is.
   *
   * @throws Error as `update` does
   * @example
   * const ids = (await control.records.batches.list({ limit: 2 })).map(({ id }) => id);
   * await control.records.batches.updateMany(ids, { status: 'failed' });
   */
  readonly updateMany: (ids: readonly string[], fields: Fields) => Promise<Value[]>;
  /**
   * Deletes a record. A thread or a job is deleted with everything that belongs to it.
   *
   * @throws Error if there is no such record
   * @example
   * await control.records.threads.delete('thread_demo');
   */
  readonly delete: (id: string) => Promise<void>;
  /**
   * Deletes several records, as one change. If one of them does not exist, none is deleted.
   *
   * @throws Error if there is no such record
   * @example
   * const ids = (await control.records.batches.list({ limit: 2 })).map(({ id }) => id);
   * await control.records.batches.deleteMany(ids);
   */
  readonly deleteMany: (ids: readonly string[]) => Promise<void>;
  /**
   * Returns a record as it is now; undefined (over HTTP: null) if there is none.
   *
   * @example
   * const prompt = await control.records.prompts.get('prompt_welcome');
   */
  readonly get: (id: string) => Promise<Value | undefined>;
  /**
   * Lists the records that match, newest first. For the next page, set `after` to the id of the last record.
   *
   * @throws Error if there are more than 10,000 and no limit, or a status for more than 10,000 that may still change
   * @example
   * const failed = await control.records.runs.list({ thread_id: 'thread_demo', status: 'failed', limit: 10 });
   */
  readonly list: (query?: RecordQuery & Partial<Owner>) => Promise<Value[]>;
  /**
   * Counts the records that match.
   *
   * @throws Error if there is no such owner, or a status for more than 10,000 that may still change
   * @example
   * const count = await control.records.batches.count({ status: 'completed' });
   */
  readonly count: (query?: CountQuery & Partial<Owner>) => Promise<number>;
}

/** The methods of a kind of record with a status. */
export interface StatusMethods<Value, Status extends string> {
  /**
   * Sets the status of a record, and all fields that it implies, such as `completed_at`, at the clock's time. From then on, it
   * changes with the clock until it is `completed`, or as it must from this status: a run that is `cancelling` is `cancelled` some
   * time later.
   *
   * @param options how it ends. `after` counts from now
   * @throws Error if there is no such record or status, or if it cannot end so
   * @example
   * const { id } = await control.records.runs.create({ thread_id: 'thread_demo' });
   * await control.records.runs.setStatus(id, 'requires_action');
   */
  readonly setStatus: (id: string, status: Status, options?: EndOptions<Status>) => Promise<Value>;
  /**
   * Sets the status of several records, as one change. If one of them does not exist, none is changed.
   *
   * @throws Error as `setStatus` does
   * @example
   * const ids = (await control.records.batches.list({ limit: 2 })).map(({ id }) => id);
   * await control.records.batches.setStatusMany(ids, 'failed');
   */
  readonly setStatusMany: (ids: readonly string[], status: Status) => Promise<Value[]>;
}

/** How a run or batch ends. */
export interface EndOptions<Status extends string = string> {
  /** The state in which it ends. It may be a state that is not final: then the record stays in it. Default: `completed`. */
  readonly ends?: Status | undefined;
  /** When it gets there, as a duration or in seconds. The states between divide the time evenly. */
  readonly after?: Duration | number | undefined;
}

/**
 * The fields that a user may set. A status must be known to the mock, so that a misspelt status does not compile. The
 * assumptions `run-states` and `batch-states` can allow others.
 */
type WritableFields<Status, Value> = {
  readonly [Field in keyof Value]?: Field extends 'status' ? Status : Value[Field];
};

/** A scenario, without its content. */
export interface ScenarioInfo {
  /** `'inline'` for a scenario object. */
  readonly name: string;
  /** Its description; empty if it has none. */
  readonly description: string;
  /** The seed of its records: the same seed gives the same bytes. */
  readonly seed: number;
  /** How many records it has of these kinds, seeded and written. */
  readonly counts: Readonly<Record<'runs' | 'batches' | 'checkpoints' | 'policies' | 'prompts', number>>;
}

/** Keys that a session accepts. */
export interface ScenarioKeys {
  readonly apiKey: string;
  readonly virtualKey: string;
}

/** A duration such as `'10m'`, `'1h30m'` or `'-2d'`. Editors complete usual durations. Units: `ms`, `s`, `m`, `h`, `d`. */
export type Duration = '30s' | '1m' | '10m' | '1h' | '1d' | '30d' | (string & {});

/** The time of a world. */
export interface ClockInfo {
  /** A date-time in UTC. */
  readonly now: string;
  /** Seconds of the world per second of real time; 0 if time is frozen. */
  readonly speed: number;
}

/** The query that selects the records to list. */
export interface RecordQuery {
  /** Default: `'desc'`, newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** How many records to list, up to 10,000. Required if there are more. Default: all. */
  readonly limit?: number | undefined;
  /** The id of a record: the list begins after it. */
  readonly after?: string | undefined;
  /** Leaves out this many records from the start of the list. Default: 0. */
  readonly offset?: number | undefined;
  /** Only records whose id contains this text, in any case. */
  readonly search?: string | undefined;
  /** Only records with this status at the clock's time. At most 10,000 records of the list may still change. */
  readonly status?: string | undefined;
}

/** The query that selects the records to count. */
export type CountQuery = Pick<RecordQuery, 'search' | 'status'>;

/** How requests are listed. */
export interface RequestListOptions {
  /** Returns only this many requests, the latest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Leaves out this many of the latest requests: with `limit`, a page of older requests. Default: 0. */
  readonly offset?: number | undefined;
  /** Whether to include the bodies of requests and replies. Default: true. */
  readonly bodies?: boolean | undefined;
  /** Whether to list only the requests that the journal still has, even if it has dropped older ones. Default: false. */
  readonly kept?: boolean | undefined;
}

/** A saved state, without its content. */
export interface SavedStateInfo {
  readonly name: string;
  /** The name of the scenario that it started from. */
  readonly scenario: string;
  /** The time of its world, as a date-time in UTC. */
  readonly now: string;
}

/** The state in which a new session begins. Default: the gateway's own scenario. */
export interface SessionStart {
  /** The name of a session whose current state is copied. */
  readonly session?: string | undefined;
  /** A scenario to start from, by its name or as an object. Set either this or `session`. */
  readonly scenario?: ScenarioName | Scenario | undefined;
}

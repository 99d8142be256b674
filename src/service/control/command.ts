import * as z from 'zod';
import type { AnyOperation } from '../../core/operations/operation.ts';
import type { Library, ScenarioDocument } from '../../core/scenario/library.ts';
import type { LoadedScenario } from '../../core/scenario/load.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import { once } from '../../core/util/once.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** One session of a gateway, for its commands. */
export interface CommandContext {
  /** The session. It is created at its first use, and `sessions.create` may replace it. */
  readonly open: () => Session;
  readonly sessions: Sessions;
  readonly library: () => Library;
  /** Checks a scenario, and applies the gateway's options to it. @throws ScenarioError */
  readonly load: (scenario: string | Scenario) => LoadedScenario;
  /** Checks the scenario of a file, and applies the gateway's options to it. @throws ScenarioError */
  readonly loadFile: (file: ScenarioDocument) => LoadedScenario;
  readonly operations: readonly AnyOperation[];
  /** The commands of the records of the user's own kinds, such as `records.own.files.list`. */
  readonly ownCommands: () => readonly NamedCommand[];
  /** Prints a warning where the user of the gateway sees it. */
  readonly warn: (message: string) => void;
  /** Called with the name of each change, after it ran: `clock.advance`. */
  readonly onChange: (what: string) => void;
  /** Called with the name and the input of each other command, before it runs. */
  readonly onRead: (what: string, input: object) => void;
  /** Called with a sentence if the handler of an own call failed. */
  readonly onFailure: (what: string) => void;
  /** Whether the gateway was closed: then the control in process throws. */
  readonly isClosed?: () => boolean;
  /** Commands of one group count as one change: those of the handler of an own call. */
  readonly changeGroup?: symbol | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/** The context in which a command runs. */
export interface RunningCommand extends CommandContext {
  /** A getter, which opens the session when the command first reads it: some commands work without one, and must not begin it. */
  readonly session: Session;
}

/**
 * One method of the control. `interface Control` states its types and what it does, the command states everything else. The method
 * in process, the method of `connect`, its HTTP route, its entries in OpenAPI and in the docs, and its change event follow from
 * the two.
 */
export interface Command<Schema extends z.ZodObject = z.ZodObject, Result = unknown> {
  /** One sentence for OpenAPI and the docs: the first sentence of its docstring in `interface Control`. */
  readonly summary: string;
  /**
   * The names of its arguments. A name with three dots takes all arguments as a list. Arguments beyond the names are objects, whose
   * keys are added to the input.
   */
  readonly args?: readonly string[];
  /** Makes the schema of its input. Called at the first use, since making all schemas would slow down each start. */
  readonly input?: () => Schema;
  /** A valid input, for the docs and error messages. Default: `{}`. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Whether it changes the world, the journal, saved states or sessions: those who watch are notified. Otherwise, it can be called by GET. */
  readonly isChange?: true;
  /** False if `state.undo` does not undo it: it changes only the journal, saved states or other sessions, or is undo itself. */
  readonly undoable?: false;
  /** Whether keys that are reserved elsewhere, such as `__proto__`, are allowed. */
  readonly allowsAnyKey?: true;
  readonly run: (context: RunningCommand, input: z.output<Schema>) => Result;
}

export const command = <Result, Schema extends z.ZodObject = z.ZodObject>(
  definition: Command<Schema, Result>,
): Command<Schema, Result> => definition;

/** A command that changes the world, the journal, saved states or sessions. */
export const change = <Result, Schema extends z.ZodObject = z.ZodObject>(
  definition: Command<Schema, Result>,
) => ({ ...definition, isChange: true as const });

/** An object whose keys are checked later, where it is used. @param $ref the schema that the OpenAPI document shows instead */
export const anyObject = <Value extends object>($ref?: string): z.ZodType<Value> =>
  z.looseObject({}).meta($ref === undefined ? {} : { $ref }) as unknown as z.ZodType<Value>; // checked later, where it is used

/** The commands of an interface: a command for each method, with its result. A missing or further command does not compile. */
export type CommandsOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: never) => Promise<infer Result>
    ? Omit<Command, 'run'> & {
        readonly run: (context: RunningCommand, input: never) => Result | Promise<Result>;
      }
    : CommandsOf<Methods[Name]>;
};

/** A command of any input, with its name: `clock.advance`. */
export interface NamedCommand extends Omit<Command, 'args' | 'input' | 'example'> {
  readonly name: string;
  readonly args: readonly string[];
  readonly schema: () => z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
}

export const listCommands = (tree: object, above = ''): NamedCommand[] =>
  Object.entries(tree).flatMap(([key, part]) => {
    if (typeof part.run !== 'function') return listCommands(part, `${above}${key}.`);
    const { input = () => z.strictObject({}), ...rest }: Command = part;
    return [{ args: [], example: {}, ...rest, name: above + key, schema: once(input) }];
  });

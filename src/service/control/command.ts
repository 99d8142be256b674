import * as z from 'zod';
import type { AnyOperation } from '../../core/operations/operation.ts';
import type { Library, ScenarioDocument } from '../../core/scenario/library.ts';
import type { LoadedScenario } from '../../core/scenario/load.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** One session of a gateway, for its commands. */
export interface Context {
  /** The session. It is made at its first use, and may be another one after `sessions.create`. */
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
  /** Is called with the name of each command that changed the world: `clock.advance`. */
  readonly onChange: (name: string) => void;
  /** Is called with the name of each other command, before it runs. */
  readonly onRead: (name: string) => void;
  /** Whether its gateway was closed, so that the control in process throws. */
  readonly isClosed?: () => boolean;
  /** The own call whose handler uses the commands: what it changes is one change. */
  readonly call?: object | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/** What a command works on. */
export interface CommandContext extends Context {
  /** The session. It is looked up once, when the command first reads it: some commands work without it. */
  readonly session: Session;
}

/**
 * One method of the control. Its types and what it does are stated in `interface Control`, all else is stated here: the method in
 * process, the one of `connect`, its HTTP route, its entry in OpenAPI and in the docs, and its change event follow.
 */
export interface Command<Schema extends z.ZodObject = z.ZodObject, Result = unknown> {
  /** One sentence for OpenAPI and the docs: the first one of its docstring in `interface Control`. */
  readonly summary: string;
  /**
   * The names of its arguments. A name with three dots takes all arguments as a list. Arguments beyond the names are objects, whose
   * keys are added to the input.
   */
  readonly args?: readonly string[];
  /** Makes the schema of its input, at the first use: a start makes no schemas. */
  readonly input?: () => Schema;
  /** A valid input, for the docs and error messages. Default: `{}`. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Whether it changes the world, so that those who watch are notified. Otherwise, it can be called by GET. */
  readonly writes?: true;
  /** False if `state.undo` does not undo it: it changes only the journal, saved states or other sessions, or is undo itself. */
  readonly undoable?: false;
  /** Whether keys that are reserved elsewhere, such as `__proto__`, are allowed. */
  readonly allowsAnyKey?: true;
  readonly run: (context: CommandContext, input: z.output<Schema>) => Result;
}

export const command = <Result, Schema extends z.ZodObject = z.ZodObject>(
  definition: Command<Schema, Result>,
): Command<Schema, Result> => definition;

/** An object whose keys are checked later, where it is used. @param $ref the schema that the OpenAPI document shows instead */
export const anyObject = <Value extends object>($ref?: string): z.ZodType<Value> =>
  z.looseObject({}).meta($ref === undefined ? {} : { $ref }) as unknown as z.ZodType<Value>; // see above

/** The commands of an interface: one for each method, with its result. A missing or further one does not compile. */
export type CommandsOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: never) => Promise<infer Result>
    ? Omit<Command, 'run'> & {
        readonly run: (context: CommandContext, input: never) => Result | Promise<Result>;
      }
    : CommandsOf<Methods[Name]>;
};

/** A command of whatever input, with its name: `clock.advance`. */
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
    let schema: z.ZodObject | undefined;
    return [{ args: [], example: {}, ...rest, name: above + key, schema: () => (schema ??= input()) }];
  });

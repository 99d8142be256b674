import * as z from 'zod';
import type { Library, ScenarioDocument } from '../scenario/library.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { AnyOperation } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import type { CommandShape, Place } from './input.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** What a command works on: one session of a gateway. */
export interface Context {
  /** The session. It is made at its first use, and may be another one after `sessions.create`. */
  readonly open: () => Session;
  /** The session's world: a reset replaces it. */
  readonly world: () => World;
  readonly sessions: Sessions;
  readonly library: () => Library;
  /** Checks a scenario, and applies the gateway's options to it. @throws ScenarioError */
  readonly load: (scenario: string | Scenario) => LoadedScenario;
  /** The same for the text of a file. */
  readonly loadFile: (file: ScenarioDocument) => LoadedScenario;
  readonly operations: readonly AnyOperation[];
  /** Is called with the name of each command that changed the world: `clock.advance`. */
  readonly onChange: (name: string) => void;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One method of the control. All of it is stated here: the method in process, the one of `connect`, its HTTP route, its
 * entry in OpenAPI and in the docs, and its change event follow.
 */
export interface Command<Args extends readonly unknown[] = readonly never[], Result = unknown> {
  /** Method and path below `/__admin`. A parameter in braces is the argument of that name. */
  readonly http: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** One sentence for OpenAPI and the docs. */
  readonly summary: string;
  /** Its arguments, in order. It is called at the first use, so that a start makes no schemas. */
  readonly input?: () => Arguments<Args>;
  /** Whether it changes the world, so that those who watch are notified. */
  readonly writes?: true;
  /** Whether its input stays in the world, and counts as written. */
  readonly keepsInput?: true;
  /** Whether keys that are reserved elsewhere, such as `__proto__`, are allowed. */
  readonly allowsAnyKey?: true;
  readonly run: (context: Context, ...args: Args) => Promise<Result>;
}

/**
 * One argument. Over HTTP it is the path parameter of its name; otherwise, an object of known keys is merged into the query
 * or the body, and any other value stands there under its name.
 */
export interface Argument<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  readonly isOptional?: boolean;
  /** What an optional path parameter is by default. */
  readonly default?: string;
  /** Whether it stands for all arguments from its place on. */
  readonly isRest?: boolean;
}

type Arguments<Args extends readonly unknown[]> = {
  readonly [At in keyof Args]-?: Argument<Args[At]>;
};

/** Defines a command; the types of its input are those of its `run`. */
export const command = <Args extends readonly unknown[], Result>(
  definition: Omit<Command<Args, Result>, 'input'> & { readonly input?: () => Arguments<NoInfer<Args>> },
): Command<Args, Result> => definition;

export const required = <Value>(name: string, schema: z.ZodType<Value>): Argument<Value> => ({
  name,
  schema,
});

export const optional = <Value>(name: string, schema: z.ZodType<Value>, value?: string): Argument<Value> => ({
  name,
  schema,
  isOptional: true,
  ...(value !== undefined && { default: value }),
});

/** An object whose keys are checked by whoever reads it. @param $ref the schema that the OpenAPI document shows instead */
export const anyObject = <Value extends object>($ref?: string): z.ZodType<Value> =>
  z.looseObject({}).meta($ref === undefined ? {} : { $ref }) as unknown as z.ZodType<Value>; // see above

/** The control that a tree of commands makes: each command is a method. */
export type ControlOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Command<infer Args, infer Result>
    ? (...args: Args) => Promise<Result>
    : ControlOf<Tree[Name]>;
};

/** A command of whatever input, with its name: `clock.advance`. */
export interface NamedCommand extends Command<readonly unknown[]> {
  readonly name: string;
  readonly method: string;
  /** Below `/__admin`, with parameters in braces. */
  readonly path: string;
}

/** All commands of a tree. */
export const listCommands = (tree: object, above = ''): NamedCommand[] =>
  Object.entries(tree).flatMap(([name, part]) => {
    if (!('http' in part)) return listCommands(part, `${above}${name}.`);
    const [method = '', path = ''] = part.http.split(' ');
    return [{ ...part, name: above + name, method, path }];
  });

/** How a command is called, without its schemas: see {@link CommandShape}. */
export const toShape = ({ name, method, path, input }: NamedCommand): CommandShape => {
  const placeOf = (argument: Argument): Place => {
    if (path.includes(`{${argument.name}}`)) return 'path';
    if (argument.isRest) return 'rest';
    return argument.schema instanceof z.ZodObject ? 'merged' : 'named';
  };
  const args = (input?.() ?? []).map((argument) => ({
    name: argument.name,
    place: placeOf(argument),
    isOptional: argument.isOptional ?? argument.isRest ?? false,
    default: argument.default,
  }));
  return { name, method, path, args };
};

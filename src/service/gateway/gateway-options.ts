import * as z from 'zod';
import type { AssumptionChoices } from '../../core/assumptions/table.ts';
import type { FaultLine } from '../../core/faults/line.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import type { ShippedScenario } from '../../core/scenario/shipped-names.ts';
import { limits } from '../../core/util/limits.ts';
import { isMapping } from '../../core/util/mapping.ts';
import { once } from '../../core/util/once.ts';
import type { OptionSchemas } from '../../core/util/parse-options.ts';
import type { OwnDefinition } from './gateway-parts.ts';
import { isDefinedCall } from './own-calls.ts';
import { isDefinedRecords } from './own-records.ts';

/** Options of `createGateway`. */
export interface GatewayOptions {
  /** The starting state: the name of a shipped scenario, or a scenario object. Default: `'default'`. */
  readonly scenario?: ShippedScenario | Scenario | undefined;
  /** Overrides the scenario's seed. The same seed gives the same bytes. Default: the scenario's seed. */
  readonly seed?: number | undefined;
  /** Values of assumptions, by id: `{ 'unknown-cursor': '400' }`. They override those of the scenario. Default: none. */
  readonly assume?: AssumptionChoices | undefined;
  /** The accepted API keys. Default: those of the scenario, or any non-empty key. */
  readonly apiKeys?: readonly string[] | undefined;
  /** The accepted virtual keys. Default: those of the scenario, or any non-empty key. */
  readonly virtualKeys?: readonly string[] | undefined;
  /**
   * In process, the only base URL to serve, ending in `/v1`. All requests below it are answered; unknown paths get 404.
   * Default: any base URL; requests that match no operation are left to other handlers.
   */
  readonly baseUrl?: string | undefined;
  /** Faults to add to those of the scenario, such as `'listRuns#3: reset'`. Default: none. */
  readonly faults?: readonly FaultLine[] | undefined;
  /** How many requests the journal of each session keeps; 0 turns it off. Default: 1000. */
  readonly journal?: number | undefined;
  /**
   * How much memory the journals of all sessions may take together, in megabytes (1,000,000 bytes). Beyond it, the session
   * whose journal takes most loses its oldest requests.
   * Default: 256; for a server, at most a quarter of the heap.
   */
  readonly journalMemory?: number | undefined;
  /**
   * The maximum number of sessions, at least 2, including the default session. When there are more, the least recently used is
   * removed, and calls to it get 410. Default: 1000.
   */
  readonly maxSessions?: number | undefined;
  /** Whether to refuse calls without a session, so that none leaks into another test. Default: false. */
  readonly requireSession?: boolean | undefined;
  /** Calls of your own (`defineCall`) beside those of the contract, and kinds of records of your own (`defineRecords`). Default: none. */
  readonly calls?: readonly OwnDefinition[] | undefined;
  /**
   * More names of headers, query parameters and fields of bodies whose values are credentials, in any case. The journal and
   * log lines mask them. Default: only the usual names, such as `authorization` and `access_token`.
   */
  readonly mask?: readonly string[] | undefined;
}

/** How an option is set on the command line of a server; its environment variable has the same name. */
interface Flag {
  /** As Commander writes it: `--seed <number>`. */
  readonly flags: string;
  /** One sentence for help and docs, where it may have links to other pages of the docs. */
  readonly text: string;
  /** Describes the default, if the schema has no default or it varies. */
  readonly default?: string;
  /** Whether only `serve` has the option, not `exec`. */
  readonly isServeOnly?: true;
  /** Whether the option's value is the content of a file, and the command line has its path. */
  readonly isFile?: true;
  /** Whether the command line has NAME=VALUE for each field of the option's value. */
  readonly isAssignment?: true;
}

/** The options that the command line has. */
export const commandLine = z.registry<Flag>();

/** A text, such as a path or a token. An empty text is refused, since it usually comes from a variable that is not set. */
export const filled = () => z.string().regex(/\S/, 'a text that is not empty');

export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) => {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const expected = `a whole number ${range}`;
  return z.int(expected).min(min, expected).max(max, expected);
};

export const scenarioOf = <Name extends string>() =>
  z.custom<Name | Scenario>(
    (value) => typeof value === 'string' || isMapping(value),
    'a scenario name or a scenario object',
  );

/** A schema for each option of a gateway, with its flag. They are made when they are first used. */
export const gatewayShape = () =>
  ({
    scenario: scenarioOf<ShippedScenario>().default('default'),
    seed: wholeNumber(0).optional().register(commandLine, {
      flags: '--seed <number>',
      text: "override the scenario's seed",
    }),
    assume: z.custom<AssumptionChoices>(isMapping, 'an object').optional().register(commandLine, {
      flags: '--assume <name=value>',
      text: 'the value of an [assumption](assumptions.md), such as unknown-cursor=400 (repeatable)',
      isAssignment: true,
    }),
    apiKeys: z.array(filled()).optional().register(commandLine, {
      flags: '--api-key <key>',
      text: 'accept only this API key (repeatable)',
      default: 'any',
    }),
    virtualKeys: z.array(filled()).optional().register(commandLine, {
      flags: '--virtual-key <key>',
      text: 'accept only this virtual key (repeatable)',
      default: 'any',
    }),
    baseUrl: z.string().optional(),
    faults: z.array(z.string()).optional().register(commandLine, {
      flags: '--fault <line>',
      text: 'a [fault](faults.md), such as "listRuns#3: reset" (repeatable)',
    }),
    journal: wholeNumber(0).default(limits.requests).register(commandLine, {
      flags: '--journal <number>',
      text: 'how many requests the [journal](requests.md) of each session keeps; 0 for none',
    }),
    journalMemory: z.number().gt(0, 'a number of megabytes above 0').default(limits.journalMemory),
    maxSessions: wholeNumber(2).default(limits.sessions).register(commandLine, {
      flags: '--max-sessions <number>',
      text: 'maximum number of sessions in memory; beyond it, the least recently used goes to the state directory, or without --state-dir is [removed](sessions.md#lost-worlds) and its calls get 410',
    }),
    requireSession: z.boolean().default(false).register(commandLine, {
      flags: '--require-session',
      text: 'refuse calls without a [session](sessions.md)',
    }),
    calls: z
      .array(
        z.custom<OwnDefinition>(
          (value) => isDefinedCall(value) || isDefinedRecords(value),
          'a call made by defineCall, or records made by defineRecords',
        ),
      )
      .default([]),
    mask: z.array(filled()).optional().register(commandLine, {
      flags: '--mask <name>',
      text: 'another header, query parameter or body field whose value is a credential, to [mask](requests.md#what-is-masked) it (repeatable)',
    }),
  }) satisfies OptionSchemas<GatewayOptions>;

/** Checked options of a gateway, with their defaults. */
export type ParsedOptions = z.output<z.ZodObject<ReturnType<typeof gatewayShape>>>;

/** Made when it is first used: a schema takes time to make, and not every program uses it. */
export const gatewayOptions = once(() => z.strictObject(gatewayShape()));

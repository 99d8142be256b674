// What a gateway serves: a reload replaces it.
import type { RequestHandler } from 'msw';
import { lineOf } from '../../core/faults/fault.ts';
import { canonicalLine } from '../../core/faults/faults.ts';
import { type AnyOperation, idsOf } from '../../core/operations/operation.ts';
import { findPromptWarnings } from '../../core/operations/render-prompt/prompt-warnings.ts';
import { isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import { whyNoneLimits } from '../../core/quotas/quotas.ts';
import { findRefusedByAssumptions, findUnknownOperations } from '../../core/scenario/further-errors.ts';
import { type Library, shippedLibrary } from '../../core/scenario/library.ts';
import { type LoadedScenario, loadDocument, loadScenario } from '../../core/scenario/load.ts';
import { ScenarioError } from '../../core/scenario/scenario-error.ts';
import { scenarioSchema } from '../../core/scenario/scenario-schema.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import type { HandlerParts } from '../../core/transports/msw.ts';
import { checkValue } from '../../core/util/check-value.ts';
import { describeError, listErrors } from '../../core/util/validation-error.ts';
import type { Kind } from '../../core/world/kind.ts';
import { ownSection } from '../../core/world/own-section.ts';
import type { CommandContext, NamedCommand } from '../control/command.ts';
import { listOwnCommands } from '../control/commands/record-commands.ts';
import type { SessionStore } from '../control/session-store.ts';
import { Sessions } from '../control/sessions.ts';
import { createState, type WorldState } from '../control/world-state.ts';
import type { ParsedOptions } from './gateway-options.ts';
import { type GatewayParts, type OwnDefinition, toGatewayParts } from './gateway-parts.ts';
import { findOwnErrors } from './own-records.ts';

/** The options of a gateway, and what an entry point adds. */
export interface GatewaySettings extends Omit<ParsedOptions, 'scenario' | 'baseUrl'> {
  readonly scenario: string | Scenario;
  readonly baseUrl?: string | undefined;
  /** The scenarios, by name. Default: the shipped scenarios. */
  readonly library?: Library | undefined;
  /** Creates the handlers when they are first read. Undefined if MSW is not loaded. */
  readonly createHandlers?: ((parts: HandlerParts) => readonly RequestHandler[]) | undefined;
  /** Keeps the sessions that are not in memory. */
  readonly store?: SessionStore | undefined;
  /** Gets each warning. Default: `console.warn`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The operations, scenarios and sessions of a gateway, which a reload replaces. */
export class GatewayContents {
  /** The contract's operations and the user's own calls. */
  readonly operations: AnyOperation[] = [];
  /** The contract's kinds of records and the user's own. */
  readonly kinds: Kind[] = [];
  readonly sessions: Sessions;
  #ownCommands: readonly NamedCommand[] = [];
  /** Whether its controls throw. */
  isClosed = false;
  readonly #settings: GatewaySettings;
  readonly #warn: (message: string) => void;
  #library: Library;

  constructor(settings: GatewaySettings) {
    this.#settings = settings;
    this.#library = settings.library ?? shippedLibrary;
    this.#warn = settings.onWarning ?? ((message) => console.warn(`gateway-mock: ${message}`));
    this.setCalls(settings.calls);
    this.sessions = new Sessions(this.#load(settings.scenario), settings, settings.store, this.kinds);
  }

  /** The context of the commands of one session: always its current world. */
  readonly commandContextOf = (name: string): CommandContext => {
    if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
    const { sessions, operations } = this;
    return {
      open: () => sessions.open(name).session,
      sessions,
      library: () => this.#library,
      load: (scenario) => this.#load(scenario),
      loadFile: (file) => this.#apply(loadDocument(file, this.#library, idsOf(operations)), this),
      operations,
      ownCommands: () => this.#ownCommands,
      isClosed: () => this.isClosed,
      warn: this.#warn,
      onChange: (what) => sessions.noteChange(name, what),
      onRead: (what, input) => sessions.events.emit(name, { type: 'read', what, input }),
      onFailure: (what) => sessions.events.emit(name, { type: 'failed', what }),
    };
  };

  /**
   * Replaces the user's own calls and kinds. The sessions stay as they are. @throws Error if an id, a name, or a method and
   * path, is taken
   */
  readonly setCalls = (calls: readonly OwnDefinition[]): void =>
    this.#use(toGatewayParts(calls, this.commandContextOf));

  /** Restarts all sessions from a scenario. @throws ScenarioError; the sessions then stay as they are */
  readonly restart = (
    scenario: string | Scenario,
    library: Library,
    calls: readonly OwnDefinition[],
  ): void => {
    const parts = toGatewayParts(calls, this.commandContextOf);
    const start = this.#load(scenario, library, parts);
    this.#library = library;
    this.#use(parts);
    this.sessions.restart(start);
  };

  #load(scenario: string | Scenario, library = this.#library, parts: GatewayParts = this): LoadedScenario {
    return this.#apply(loadScenario(scenario, library, idsOf(parts.operations)), parts);
  }

  /** Applies the options, and prints the warnings. @throws ScenarioError if the scenario does not fit them, or the user's own kinds */
  #apply(loaded: LoadedScenario, { operations, kinds }: GatewayParts): LoadedScenario {
    const start = withOptions(loaded, this.#settings, idsOf(operations));
    if (loaded.isShipped) return start;
    const state = createState(start, kinds);
    const errors = [...findOwnErrors(start.scenario.own, state.world)];
    if (errors.length > 0) throw new ScenarioError(`"${start.name}"`, listErrors(errors));
    for (const warning of findWarnings(start, state)) this.#warn(warning);
    return start;
  }

  /** Changes the lists in place, since all contexts of calls, commands and sessions refer to them. */
  #use({ operations, kinds }: GatewayParts): void {
    this.operations.splice(0, this.operations.length, ...operations);
    this.kinds.splice(0, this.kinds.length, ...kinds);
    this.#ownCommands = listOwnCommands(kinds.filter(({ section }) => section === ownSection));
  }
}

/** Warnings about parts of a scenario without effect: quotas that limit no call, and the first slips in prompts. */
const findWarnings = (start: LoadedScenario, { quotas, world }: WorldState): string[] => {
  const idle = quotas.isEnforced ? whyNoneLimits(world) : undefined;
  const slips = [...findPromptWarnings(start.scenario, world)].map(describeError);
  const more =
    slips.length > maxSlips ? ['Prompts have more slips: `gateway-mock validate FILE` lists them'] : [];
  return [...(idle === undefined ? [] : [idle]), ...slips.slice(0, maxSlips), ...more];
};

/** How many slips in prompts are printed at the start. */
const maxSlips = 5;

/** Applies the options to the scenario. They have the same schema as its parts. @throws ScenarioError */
const withOptions = (
  loaded: LoadedScenario,
  { seed, apiKeys, virtualKeys, assume, faults = [] }: GatewaySettings,
  operations: readonly string[],
): LoadedScenario => {
  const { name, scenario } = loaded;
  if ([seed, apiKeys, virtualKeys, assume, faults[0]].every((option) => option === undefined)) return loaded;
  const keys = {
    ...(apiKeys !== undefined && { valid: apiKeys }),
    ...(virtualKeys !== undefined && { virtual: virtualKeys }),
  };
  const options = { ...(seed !== undefined && { seed }), keys, assumptions: assume, faults };
  const optionsSchema = scenarioSchema
    .unwrap()
    .pick({ seed: true, keys: true, assumptions: true, faults: true });
  const { errors } = checkValue(optionsSchema, options);
  const present = scenario.faults.map((state) => canonicalLine(lineOf(state))); // an exported state has those of the options
  const applied = {
    ...scenario,
    seed: seed ?? scenario.seed,
    keys: { ...scenario.keys, ...keys },
    assumptions: { ...scenario.assumptions, ...assume },
    faults: [...scenario.faults, ...faults.filter((line) => !present.includes(canonicalLine(line)))],
  };
  const all = [
    ...errors,
    ...findUnknownOperations({ faults }, operations),
    ...findRefusedByAssumptions(applied),
  ];
  if (all.length > 0) throw new ScenarioError('made from the options', all);
  return { name, scenario: applied };
};

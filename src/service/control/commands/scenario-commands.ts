import * as z from 'zod';
import { idsOf } from '../../../core/operations/operation.ts';
import { countRecords } from '../../../core/scenario/further-errors.ts';
import type { Library } from '../../../core/scenario/library.ts';
import { type LoadedScenario, loadScenario } from '../../../core/scenario/load.ts';
import type { Scenario, ScenarioName } from '../../../core/scenario/scenario-types.ts';
import { type CommandsOf, change, command, type RunningCommand } from '../command.ts';
import type { Control, ScenarioInfo, ScenarioKeys } from '../control-interface.ts';
import type { Session } from '../session.ts';
import { createState } from '../world-state.ts';

/** If no keys are listed, any text is valid. */
const anyKey = 'any';

/** A scenario by its name, or as an object, which is checked when it is loaded. */
export const scenarioInput = (): z.ZodType<ScenarioName | Scenario> =>
  z.union([z.string(), z.looseObject({})]) as unknown as z.ZodType<ScenarioName | Scenario>; // checked when it is loaded

export const scenarioCommands = {
  current: command({
    summary: 'Returns the scenario that the world started from.',
    run: ({ session }) => toScenarioInfo(session.start),
  }),
  load: change({
    summary: 'Restarts the world from a scenario, by its name or as an object.',
    args: ['scenario'],
    input: () => z.strictObject({ scenario: scenarioInput() }),
    example: { scenario: 'in-flight' },
    run: (context, { scenario }) => {
      const start = context.load(scenario);
      startFrom(context, 'scenario.load', start);
      return toScenarioInfo(start);
    },
  }),
  keys: command({
    summary: 'Returns an API key and a virtual key that the session accepts.',
    run: ({ session }): ScenarioKeys => {
      const { valid, expired = [], exhausted = [], limited = {}, virtual } = session.state.world.keys;
      const present = valid?.filter((key) => !expired.includes(key) && !exhausted.includes(key));
      const apiKey = present?.find((key) => !Object.hasOwn(limited, key)) ?? present?.[0] ?? anyKey;
      return { apiKey, virtualKey: virtual?.[0] ?? anyKey };
    },
  }),
  list: command({
    summary: 'Lists the scenarios that can be loaded by name.',
    run: ({ library, operations }) =>
      Object.keys(library().scenarios).flatMap((name) => tryToInfo(name, library(), idsOf(operations))),
  }),
} satisfies CommandsOf<Control['scenario']>;

/** The session whose world is replaced, and all sessions. */
type WorldOwner = Pick<RunningCommand, 'session' | 'sessions'>;

/** Restarts the world of a session from another scenario. */
export const startFrom = (context: WorldOwner, what: string, start: LoadedScenario): void =>
  replaceState(context, what, {
    start,
    state: createState(start, context.session.state.world.kinds),
  });

/** Replaces the state of a session's world, and clears its journal. @param what the name of the command, for events */
export const replaceState = (
  { session, sessions }: WorldOwner,
  what: string,
  next: Pick<Session, 'start' | 'state'>,
): void => {
  sessions.events.reportRemoved(session, what);
  Object.assign(session, next);
  session.journal.clear();
};

const tryToInfo = (name: string, library: Library, operations: readonly string[]): ScenarioInfo[] => {
  try {
    return [toScenarioInfo(loadScenario(name, library, operations))];
  } catch {
    return [];
  }
};

export const toScenarioInfo = ({ name, scenario }: LoadedScenario): ScenarioInfo => ({
  name,
  description: scenario.description ?? '',
  seed: scenario.seed,
  counts: countAll(scenario),
});

const countAll = (scenario: object): ScenarioInfo['counts'] => {
  const { threads = {}, batches, jobs = {}, policies, prompts = {} }: Scenario = scenario;
  const sumOf = (parts: readonly object[], key: string): number =>
    parts.reduce((sum, part) => sum + countRecords(part, key), 0);
  const atStart = Object.values(jobs).map((job) => ({ ...job, checkpoints: job.made ?? job.checkpoints }));
  return {
    runs: sumOf(Object.values(threads), 'runs'),
    batches: countRecords(batches, 'seeded'),
    checkpoints: sumOf(atStart, 'checkpoints'),
    policies: countRecords(policies, 'seeded'),
    prompts: Object.keys(prompts).length,
  };
};

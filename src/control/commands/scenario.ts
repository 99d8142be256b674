import * as z from 'zod';
import type { Library } from '../../scenario/library.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/load.ts';
import type { Scenario, ScenarioName } from '../../scenario/schema.ts';
import { type Context, command, required } from '../command.ts';
import { createState } from '../world-state.ts';

/** A scenario, without its content. */
export interface ScenarioInfo {
  /** `'inline'` if it was given as an object. */
  readonly name: string;
  /** What it is for; empty if it does not say. */
  readonly description: string;
  /** What its seeded records depend on: the same seed gives the same bytes. */
  readonly seed: number;
}

/** A scenario by its name, or as an object, which is checked where it is loaded. */
export const scenarioInput = (): z.ZodType<ScenarioName | Scenario> =>
  z.union([z.string(), z.looseObject({})]) as unknown as z.ZodType<ScenarioName | Scenario>; // see above

export const scenarioCommands = {
  /** The scenario that the world started from. */
  current: command({
    http: 'GET /scenario',
    summary: 'Returns the scenario that the world started from.',
    run: async ({ open }) => toInfo(open().start),
  }),
  /** Restarts the world from a scenario. If it is invalid, the world stays as it is. @throws ScenarioError */
  load: command({
    http: 'PUT /scenario',
    summary: 'Restarts the world from a scenario, given by name or as an object.',
    input: () => [required('scenario', scenarioInput())],
    writes: true,
    run: async (context, scenario: ScenarioName | Scenario) => {
      const start = context.load(scenario);
      beginFrom(context, 'scenario.load', start);
      return toInfo(start);
    },
  }),
  /** The scenarios that can be loaded by name. Files with mistakes are left out. */
  list: command({
    http: 'GET /scenarios',
    summary: 'Lists the scenarios that can be loaded by name.',
    run: async ({ library }) =>
      Object.keys(library().scenarios).flatMap((name) => tryToInfo(name, library())),
  }),
};

/**
 * Restarts the world of a session.
 *
 * @param what the command that does it
 * @param present the state to begin with. Default: the start
 */
export const beginFrom = (
  { open, sessions }: Context,
  what: string,
  start: LoadedScenario,
  present: LoadedScenario = start,
): void => {
  const session = open();
  const state = createState(present); // first, since it may fail
  sessions.reportDropped(session, what);
  session.state = state;
  session.start = start;
  session.journal.clear();
};

const tryToInfo = (name: string, library: Library): ScenarioInfo[] => {
  try {
    return [toInfo(loadScenario(name, library))];
  } catch {
    return [];
  }
};

const toInfo = ({ name, whole }: LoadedScenario): ScenarioInfo => ({
  name,
  description: whole.description ?? '',
  seed: whole.seed,
});

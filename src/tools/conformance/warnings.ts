import { batchStates, runStates } from '../../core/assumptions/record-states.ts';
import { batches } from '../../core/operations/list-batches/record.ts';
import { runs } from '../../core/operations/list-runs/record.ts';
import { describePrompt } from '../../core/operations/render-prompt/describe-prompt.ts';
import { findPromptWarnings } from '../../core/operations/render-prompt/prompt-warnings.ts';
import type { PromptInfo } from '../../core/operations/render-prompt/types.ts';
import { whyNoneLimits } from '../../core/quotas/quotas.ts';
import { findChain, inReadingOrder, placeInChain } from '../../core/scenario/extend.ts';
import { writtenIn } from '../../core/scenario/further-errors.ts';
import type { Library, ScenarioDocument } from '../../core/scenario/library.ts';
import { loadDocument } from '../../core/scenario/load.ts';
import { ScenarioError } from '../../core/scenario/scenario-error.ts';
import { type CompleteScenario, kinds } from '../../core/scenario/scenario-schema.ts';
import { limits } from '../../core/util/limits.ts';
import { listErrors, type ValidationError } from '../../core/util/validation-error.ts';
import type { Kind, Resource } from '../../core/world/kind.ts';
import { World } from '../../core/world/world.ts';
import { findOwnErrors } from '../../service/gateway/own-records.ts';
import { findBatchContradictions } from './contradictions/batches.ts';
import { findRunContradictions } from './contradictions/runs.ts';

/**
 * Finds probable slips in a valid scenario, which a test may also want: written records that contradict their status
 * or the clock, quotas that limit no call, and tags of other template languages.
 *
 * @param operations the ids that its faults may name. Default: any
 * @param worldKinds the kinds of records. Default: those of the contract
 * @throws ScenarioError for an invalid scenario
 */
export const findWarnings = (
  document: ScenarioDocument,
  library: Library,
  operations?: readonly string[],
  worldKinds = kinds as readonly Kind[],
): ValidationError[] => {
  const { scenario } = loadDocument(document, library, operations);
  const chain = findChain(document, library, []);
  const place = (found: Iterable<ValidationError>): ValidationError[] => {
    const first = [...found].slice(0, limits.errors + 1);
    const placed = first.map((error) => placeInChain(chain, library, error));
    return listErrors(inReadingOrder(placed, document.file));
  };
  const errors = place(findOwnErrors(scenario.own, new World(worldKinds, scenario)));
  if (errors.length > 0) throw new ScenarioError(`"${document.name}"`, errors);
  return place(findSlips(scenario, worldKinds));
};

/** Describes the stored prompts of a scenario, by their ids. @throws ScenarioError for an invalid scenario */
export const describePrompts = (
  document: ScenarioDocument,
  library: Library,
  operations?: readonly string[],
): (readonly [id: string, info: PromptInfo])[] => {
  const world = openWorld(loadDocument(document, library, operations).scenario);
  return Object.keys(Object(Object(document.value).prompts)).flatMap((id) => {
    const info = describePrompt(id, world);
    return info === undefined ? [] : [[id, info] as const];
  });
};

const openWorld = (scenario: CompleteScenario) =>
  new World(kinds, { ...scenario, clock: { ...scenario.clock, speed: 0 } });

/** Whether the contract's lifecycle has a state: an assumption may allow others. */
const isKnown = (states: readonly string[], status: string): boolean => states.includes(status);

function* findSlips(scenario: CompleteScenario, worldKinds: readonly Kind[]): Generator<ValidationError> {
  for (const name of Object.keys(scenario.own))
    if (!worldKinds.some(({ plural }) => plural === name))
      yield {
        path: ['own', name],
        message: 'no such kind of records: to check them, name the file that defines the kind (--calls)',
      };
  const world = openWorld(scenario);
  const now = world.clock.now();
  const isEnforced = scenario.quotas === true || Object(scenario.quotas).enforced === true;
  const idle = isEnforced ? whyNoneLimits(world) : undefined;
  if (idle !== undefined) yield { path: ['quotas'], message: idle };
  const written = [...writtenIn(scenario)];
  const ofKind = ({ name }: Pick<Kind, 'name'>) => written.filter(({ kind }) => kind.name === name);
  for (const { kind, owner, record, path } of [...ofKind(runs), ...ofKind(batches)]) {
    const { id } = record as Resource; // the scenario's schema has checked it
    const run = kind.name === runs.name ? world.list(runs, owner)?.get(id) : undefined;
    const batch = kind.name === batches.name ? world.list(batches, owner)?.get(id) : undefined;
    const ofRun = run && isKnown(runStates, run.status) ? findRunContradictions(run, now) : [];
    const ofBatch = batch && isKnown(batchStates, batch.status) ? findBatchContradictions(batch, now) : [];
    for (const message of [...ofRun, ...ofBatch]) yield { path, message };
  }
  yield* findPromptWarnings(scenario, world);
}

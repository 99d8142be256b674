// What holds of every scenario that ships. What each promises: scenarios-promises.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../src/core/scenario/folder.ts';
import { createGateway, scenarioNames } from '../../src/index.ts';
import { findBatchContradictions } from '../../src/tools/conformance/contradictions/batches.ts';
import { findRunContradictions } from '../../src/tools/conformance/contradictions/runs.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { partsOf } from '../support/scenario-calls.ts';

const folder = new URL('../../scenarios/', import.meta.url);
const fileOf = (name: string): string => new URL(`${name}.yaml`, folder).pathname;

test('each file of the folder is a scenario that ships, and there are no others', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  expect(files.map((file) => file.replace(/\.yaml$/, '')).sort()).toEqual(scenarioNames().sort());
});

/** What contradicts itself among the newest records of each list. */
const findContradictions = async ({ gateway: { clock, records, state } }: OpenGateway): Promise<string[]> => {
  const { jobs = {} } = await state.export();
  const now = Date.parse((await clock.now()).now) / 1000;
  const limit = 100;
  const found: string[] = [];
  for (const { id: thread_id } of await records.threads.list())
    for (const run of await records.runs.list({ thread_id, limit }))
      found.push(...findRunContradictions(run, now));
  for (const batch of await records.batches.list({ limit }))
    found.push(...findBatchContradictions(batch, now));
  for (const { id: fine_tuning_job_id } of await records.jobs.list()) {
    const checkpoints = await records.checkpoints.list({ fine_tuning_job_id, limit });
    const { checkpoints: all, made = all } = jobs[fine_tuning_job_id] ?? {};
    for (const [
      at,
      { id, step_number, metrics, created_at, fine_tuned_model_checkpoint },
    ] of checkpoints.entries()) {
      const older = checkpoints[at + 1];
      const step = at === 0 && made === all ? undefined : String(step_number); // the final model has none
      if (metrics.step !== step_number || /:ckpt-step-(.*)$/.exec(fine_tuned_model_checkpoint)?.[1] !== step)
        found.push(`${id} is not of step ${step_number}`);
      if (older && (older.step_number >= step_number || older.created_at > created_at))
        found.push(`${id} is not newer than ${older.id}`);
    }
  }
  return found;
};

/** Prompts that cannot be rendered without variables, or at all. */
const refused =
  /^(prompts\/prompt_(recursive|circle|circle_back|partial_missing|partial_by_name)|strict-answers prompts\/.*)$/;

describe.each(scenarioNames())('the scenario %s', (name) => {
  test('loads from its file as it ships, names its schema, and says in one line what it is for', async () => {
    const { description, ...scenario } = readScenario(fileOf(name));
    expect(description).toMatch(/^[A-Z].{20,139}\.$/);
    const shipped = await createGateway({ scenario: name }).state.export();
    expect(shipped).toMatchObject({ description, threads: scenario.threads, prompts: scenario.prompts });
    const [line] = readFileSync(fileOf(name), 'utf8').split('\n');
    expect(line).toBe('# yaml-language-server: $schema=./scenario.schema.json');
  });

  test('serves the first page of everything that it has, and no record contradicts itself', async () => {
    const opened = openGateway({ scenario: name });
    await opened.gateway.clock.freeze();
    await opened.gateway.faults.clear(); // assistants-gone refuses the run list
    for (const [part, call] of Object.entries(await partsOf(opened.gateway))) {
      const { status } = opened.send(call);
      expect([part, status]).toEqual([
        part,
        refused.test(part) || refused.test(`${name} ${part}`) ? 400 : 200,
      ]);
    }
    expect(await findContradictions(opened)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/root.ts';

/** The names that an entry point exports, types among them, in alphabetical order; of `export type *`, the types of that file. */
const exportsOf = (entry: string, kinds = 'const|function|interface|type|class'): string => {
  const text = readFileSync(join(root, `src/${entry}.ts`), 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?(?:\{([^}]*)\}|\* from '\.\/(.*)\.ts')/gm)];
  const declared = text.matchAll(new RegExp(`^export (?:async )?(?:${kinds}) (\\w+)`, 'gm'));
  const listed = lists.flatMap(([, names = '', all]) =>
    all ? exportsOf(all, 'interface|type').split(' ') : names.split(','),
  );
  const names = [...listed, ...[...declared].map(([, name = '']) => name)];
  return names
    .flatMap((name) => /[\w*]+$/.exec(name.trim()) ?? [])
    .sort()
    .join(' ');
};

test.each([
  [
    'index',
    'Assumption AssumptionChoices AssumptionId AssumptionInUse Batch CallDefinition CallSchema Checkpoint ClockInfo Control CountQuery DefinedCall DefinedRecords Duration EndOptions ExpectOptions FaultInfo FaultLine Gateway GatewayOptions Hyperparameters ListId OperationId OwnCall OwnCallTools OwnDefinition PathParams Policy Prompt PromptInfo PromptMessage PromptPreview QuotaGroup QuotaInfo RecordMethods RecordQuery RecordedRequest RecordedWalk RequestFilter RequestListOptions Run SavedStateInfo Scenario ScenarioError ScenarioInfo ScenarioKeys ScenarioName SessionStart ShippedScenario StateChange StatusHistory StatusMethods Synchronous ValidationError WaitOptions WalkOptions WalkPage WalkReport assumptions createGateway defineCall defineRecords scenarioJsonSchema scenarioNames',
  ],
  ['node', 'ListenOptions OnUnhandledRequest readScenario setupGateway writeScenario'],
  ['browser', 'OnUnhandledRequest WorkerOptions setupGateway'],
  ['server', 'AnsweredCall GatewayServer ServerOptions startServer'],
  [
    'calls',
    'CallDefinition CallSchema ChatOptions DefinedCall DefinedRecords OwnCall OwnCallTools OwnDefinition PathParams Synchronous batches chat createChat defineCall defineRecords jobs runs',
  ],
  ['client', 'ConnectOptions Control RemoteControl ServerEvent connect'],
  ['vitest', 'GatewayFixtures TestGateway TestGatewayOptions handlers test'],
  ['jest', 'TestGateway TestServerOptions UseGatewayOptions useGateway withGateway'],
  ['node-test', 'TestContext TestGateway TestServerOptions openGateway'],
  ['playwright', 'GatewayFixtures TestGateway TestGatewayOptions TestServerOptions test'],
  [
    'conformance',
    'Check CheckCall CheckFinding CheckNeed CheckObservation CheckOutcome CheckProgress CheckReply CheckReport CheckResult CheckSamples CheckTarget HttpTargetOptions InspectReply KeyHeader RunChecksOptions TargetKeys UncheckedCause checks createHttpTarget runChecks',
  ],
])('gateway-mock/%s exports these names: a change of one is a change for users', (entry, names) => {
  expect(exportsOf(entry)).toBe(names);
});

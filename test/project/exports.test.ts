import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** The names that an entry point exports, types among them, in alphabetical order. */
const exportsOf = (entry: string): string => {
  const path = fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url));
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const names = tree.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      return exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.map(({ name }) => name.text)
        : [`* of ${statement.moduleSpecifier?.getText(tree)}`];
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(tree));
    return 'name' in statement ? [(statement.name as ts.Identifier).text] : []; // an exported declaration has one
  });
  return names.sort().join(' ');
};

test.each([
  [
    'index',
    'Assumption AssumptionChoices AssumptionId AssumptionInUse Batch CallDefinition Checkpoint ClockInfo ContractSchema Control DefinedCall Duration FaultInfo FaultLine Gateway GatewayOptions Hyperparameters ListId OperationId OwnCall OwnCallTools PathParams Policy Prompt PromptMessage PromptPreview QuotaInfo RecordMethods RecordQuery RecordedRequest RecordedWalk RequestFilter RequestListOptions Run SavedStateInfo Scenario ScenarioError ScenarioInfo ScenarioKeys ScenarioName SessionStart ShippedScenario StateChange StatusHistory Synchronous ValidationError WaitOptions WalkOptions WalkPage WalkReport assumptions batchSchema checkpointSchema createGateway defineCall hyperparametersSchema policySchema runSchema scenarioJsonSchema scenarioNames',
  ],
  ['node', 'ListenOptions OnUnhandledRequest readScenario setupGateway writeScenario'],
  ['browser', 'OnUnhandledRequest WorkerOptions setupGateway'],
  ['server', 'AnsweredCall GatewayServer ServerOptions startServer'],
  ['client', 'ConnectOptions Control RemoteControl ServerEvent connect'],
  ['vitest', 'GatewayFixtures TestGateway TestGatewayOptions handlers test'],
  ['jest', 'TestGateway TestServerOptions UseGatewayOptions useGateway withGateway'],
  ['node-test', 'TestContext TestGateway TestServerOptions openGateway'],
  ['playwright', 'GatewayFixtures TestGateway TestGatewayOptions TestServerOptions test'],
  [
    'conformance',
    'Check CheckCall CheckFinding CheckNeed CheckObservation CheckOutcome CheckProgress CheckReply CheckReport CheckResult CheckSamples CheckTarget HttpTargetOptions KeyHeader RunChecksOptions TargetKeys checks createHttpTarget runChecks',
  ],
])('gateway-mock/%s exports these names: a change of one is a change for users', (entry, names) => {
  expect(exportsOf(entry)).toBe(names);
});

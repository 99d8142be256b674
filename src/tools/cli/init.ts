// `gateway-mock init`: a scenario and a first test for a project.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { installedSchemaComment, schemaComment } from '../../core/scenario/schema-comment.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { makeFolder } from '../../service/server/state/files.ts';
import { readScenarioText, toFirstTest } from './init-files.ts';
import { findMissing, findProject, type RunnerName, scenarioPath } from './init-project.ts';
import { fail, type Print } from './usage-error.ts';

/** The options of `init`, as Commander parses them. */
export interface InitFlags {
  readonly dir: string;
  readonly runner?: RunnerName | undefined;
}

/** Writes the files and prints what to do next. @throws UsageError if a file exists, or cannot be written */
export const init = ({ dir, runner }: InitFlags, print: Print): void => {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    fail(`the folder "${dir}" does not exist. Create it, or choose another: --dir PATH.`);
  const project = findProject(resolve(dir), runner);
  const missing = findMissing(project);
  const test = toFirstTest(project);
  const { fixture } = test;
  const inProject = (path: string): string => join(project.folder, path);
  const scenarioFile = inProject(scenarioPath);
  // The package may not be installed yet.
  const comment = missing.includes('gateway-mock') ? installedSchemaComment : schemaComment(scenarioFile);
  const scenarioText = comment + readScenarioText();
  // The scenario may exist from an earlier call, for another runner.
  const isKept = existsSync(scenarioFile) && readFileSync(scenarioFile, 'utf8') === scenarioText;
  writeNew({
    ...(isKept ? {} : { [scenarioFile]: scenarioText }),
    [inProject(test.path)]: test.text,
    ...(fixture && { [inProject(fixture.path)]: fixture.text }),
  });

  print(`${isKept ? 'Kept' : 'Wrote'} ${toShown(scenarioFile)}: the state that the test starts from.`);
  print(`Wrote ${toShown(inProject(test.path))}: a first test, for ${project.runner}.`);
  if (!project.isRunnerKnown)
    print('The project names no test runner. For another runner, use --runner NAME.');
  if (fixture) print(`Wrote ${toShown(inProject(fixture.path))}: the fixture that the test uses.`);
  if (fixture?.toAdd)
    print(`Add this line to ${toShown(inProject(fixture.toAdd.path))}:\n  ${fixture.toAdd.line}`);
  const folder = relative('', project.folder);
  const commands = [
    ...(folder === '' ? [] : [`cd ${/\s/.test(folder) ? `"${folder}"` : folder}`]),
    ...(missing.length === 0 ? [] : [`npm install --save-dev ${missing.join(' ')}`]),
    test.command,
  ];
  print(['Next:', ...commands].join('\n  '));
};

/** A path as it is from the current folder. */
const toShown = (file: string): string => relative('', file);

/** Writes files that do not exist yet: all of them or none. */
const writeNew = (files: Readonly<Record<string, string>>): void => {
  const existing = Object.keys(files).filter((file) => existsSync(file));
  if (existing.length > 0)
    fail(
      `init never overwrites files. These already exist: ${existing.map(toShown).join(', ')}. Move them away, or choose another project: --dir PATH.`,
    );
  for (const [file, text] of Object.entries(files))
    try {
      makeFolder(resolve(dirname(file)));
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      fail(`failed to write the file "${toShown(file)}": ${messageOf(error)}.`);
    }
};

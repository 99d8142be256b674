import { parseText } from '../../core/protocol/body.ts';
import type { Call } from '../../core/protocol/call.ts';
import { ControlError } from '../../core/protocol/errors.ts';
import { isScenarioFile, nameOf } from '../../core/scenario/path.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import { limits } from '../../core/util/limits.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { CommandContext } from '../control/command.ts';
import { startFrom, toScenarioInfo } from '../control/commands/scenario-commands.ts';
import type { ScenarioInfo } from '../control/control-interface.ts';
import { exportState } from '../control/world-state.ts';
import type { AdminReply } from './admin-replies.ts';

export const loadFiles = () => import('../../core/scenario/file.ts');

/**
 * Restarts the world from the text of a scenario file, under the name of the file.
 *
 * @throws GatewayError or ControlError if the body is not a scenario file, or the name is invalid; ScenarioError with the line of
 * each error
 */
export const loadFile = async (context: CommandContext, file: string, call: Call): Promise<ScenarioInfo> => {
  checkName(file);
  const type = call.header('content-type') ?? '';
  if (/^\s*(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type))
    throw new ControlError(
      415,
      `Failed to load the file "${truncate(file)}": the content type '${truncate(type)}' is of a form. Send the file as it is, as "curl -T FILE" does.`,
    );
  const { isJson, readDocument } = await loadFiles();
  const text = parseText(call);
  if (!isJson(file) && text.length > limits.yaml)
    throw new ControlError(
      413,
      `Failed to load the file "${truncate(file)}": over HTTP, a YAML file may have at most ${limits.yaml} characters. Save it as JSON, or load it from disk with --scenarios.`,
    );
  const start = context.loadFile(readDocument(nameOf(file), file, text));
  const session = context.open();
  // As `runCommand` runs `scenario.load`, whose input is a scenario without lines.
  session.history.track(session, 'scenario.load', { file }, () =>
    startFrom({ session, sessions: context.sessions }, 'scenario.load', start),
  );
  context.onChange('scenario.load');
  return toScenarioInfo(start);
};

/** The current state as a scenario file, for download under the name of its scenario. @param format `yaml` or `json` */
export const writeFile = async ({ open }: CommandContext, format: string): Promise<AdminReply> => {
  const { toFileText } = await loadFiles();
  const session = open();
  const file = `${session.start.name.replace(/[^\w .-]/g, '_')}.${format}`;
  // The internal scenario has a value for every key, so it has the type of a scenario.
  const body = toFileText(file, exportState(session).scenario as Scenario);
  const headers = {
    'content-type': `application/${format}`,
    'content-disposition': `attachment; filename="${file}"`,
  };
  return { status: 200, headers, body };
};

/** @throws ControlError 400 */
const checkName = (file: string): void => {
  if (!isScenarioFile(file) || nameOf(file) === '')
    throw new ControlError(
      400,
      `Invalid file name "${truncate(file)}": it must end in .yaml, .yml or .json, such as bug-4711.yaml.`,
    );
};

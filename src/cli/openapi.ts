import { version } from 'virtual:shipped';
import { openGateway } from '../gateway/open-gateway.ts';
import { gatewayOptions } from '../gateway/options.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { findScenarioFiles } from '../server/start-server.ts';
import { parseOptions } from '../util/parse-options.ts';

/** The options of `openapi`, as Commander parses them. */
export interface OpenapiFlags {
  readonly output?: string;
  readonly scenario?: string;
  readonly scenarios?: string[];
}

/**
 * Prints the OpenAPI document of a gateway with a scenario, or writes it to a file.
 *
 * @throws Error if the file cannot be written, or the scenario cannot be loaded
 */
export const writeOpenapi = async (
  { output, ...flags }: OpenapiFlags,
  write: (text: string) => void,
): Promise<void> => {
  const { openapiText } = await import('../openapi/document.ts'); // only this command loads it
  const { paths, scenario } = findScenarioFiles({ scenario: 'default', scenarios: [], ...flags });
  const folder = paths.length === 0 ? undefined : await import('../scenario/folder.ts');
  const { choicesOf } = openGateway(
    { ...parseOptions(gatewayOptions(), {}), scenario },
    folder?.readLibrary(paths),
  );
  const text = await openapiText(version, { choices: choicesOf(defaultSession) });
  if (output === undefined) {
    write(text);
    return;
  }
  const { writeFile } = await import('node:fs/promises');
  await writeFile(output, text).catch((error: Error) => {
    throw new Error(`failed to write the file "${output}": ${error.message}. Choose another file: -o FILE.`);
  });
};

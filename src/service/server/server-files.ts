import { version } from 'virtual:shipped';
import { type Library, shippedLibrary } from '../../core/scenario/library.ts';
import { folderOf, isScenarioPath, nameOf } from '../../core/scenario/path.ts';
import type { buildGateway } from '../gateway/build-gateway.ts';
import type { OwnDefinition } from '../gateway/gateway-parts.ts';
import { callFiles, loadCalls } from './load-calls.ts';
import type { ParsedServerOptions } from './server-options.ts';
import type { StateDir } from './state/state-dir.ts';
import { nameInErrors } from './stray-errors.ts';

/** The files of a server: its scenarios and own calls. The YAML parser is loaded only if there are scenario files. */
export const openFiles = async (options: ParsedServerOptions) => {
  const { paths, scenario } = findScenarioFiles(options);
  const { calls } = options;
  const ownFiles = typeof calls === 'string' ? callFiles(calls) : [];
  if (options.watch && paths.length === 0 && ownFiles.length === 0)
    throw new Error(
      'Failed to watch: there are no files. Give a scenario file, folders of scenarios, or a file of calls.',
    );
  const folder = paths.length === 0 ? undefined : await import('../../core/scenario/folder.ts');
  const watching = options.watch ? await import('../../core/scenario/watch-paths.ts') : undefined;
  const readLibrary = () => folder?.readLibrary(paths) ?? shippedLibrary;
  return {
    scenario,
    readLibrary,
    readCalls: async () => (typeof calls === 'string' ? nameInErrors(await loadCalls(calls)) : calls),
    /** When a file has changed, calls back with a function that takes the own calls, read again. Returns a function that stops watching. */
    watch: (
      { restart, setCalls }: Pick<ReturnType<typeof buildGateway>, 'restart' | 'setCalls'>,
      onChange: (reload: (calls: readonly OwnDefinition[]) => void) => Promise<void>,
    ): (() => void) => {
      const reload: typeof setCalls = (nextCalls) => restart(scenario, readLibrary(), nextCalls);
      const stops = [
        watching?.watchPaths(paths, () => void onChange(reload)),
        ownFiles.length > 0 && watching?.watchPaths(ownFiles, () => void onChange(setCalls)),
      ];
      return () => {
        for (const stop of stops) if (stop) stop();
      };
    },
  };
};

/** Throws an error with the way out if the scenario is not a name, but a folder or the name of a file nearby. */
export const refuseUnread = async (
  options: ParsedServerOptions,
  scenario: ParsedServerOptions['scenario'],
  library: Library,
): Promise<void> => {
  if (typeof options.scenario !== 'string' || typeof scenario !== 'string') return;
  if (Object.hasOwn(library.scenarios, scenario)) return;
  const { explainScenario } = await import('../../core/scenario/folder.ts');
  const reason = explainScenario(options.scenario);
  if (reason !== undefined) throw new Error(`Failed to load the scenario "${options.scenario}": ${reason}.`);
};

/** @throws Error if the directory cannot be used */
export const openStateDir = async ({
  stateDir,
  onStateError,
}: ParsedServerOptions): Promise<StateDir | undefined> => {
  if (stateDir === undefined) return undefined;
  const { StateDir } = await import('./state/state-dir.ts');
  return StateDir.open(stateDir, version, (message) => {
    if (onStateError === undefined) console.warn(`gateway-mock: ${message}`);
    else onStateError(new Error(message));
  });
};

/** The files to read, and the scenario: the path of a file is replaced by the scenario's name. */
export const findScenarioFiles = ({
  scenario,
  scenarios,
}: Pick<ParsedServerOptions, 'scenario' | 'scenarios'>) =>
  typeof scenario === 'string' && isScenarioPath(scenario)
    ? { paths: [...scenarios, folderOf(scenario), scenario], scenario: nameOf(scenario) }
    : { paths: scenarios, scenario };

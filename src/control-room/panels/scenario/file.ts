import { tryParse } from '../../../util/try-parse.ts';
import { act } from '../../act.tsx';
import { control } from '../../connection.ts';
import { download } from '../../copy.tsx';

/** Calls a route for files. The server reads and writes YAML, so that the page needs no parser. */
const callFile = async (path: string, init?: RequestInit): Promise<string> => {
  const response = await control.fetch(path, init);
  const text = await response.text();
  if (!response.ok)
    throw new Error(Object(tryParse(text)).message ?? `The server returned ${response.status}.`);
  return text;
};

export type Format = 'yaml' | 'json';

/** Downloads the present state as a scenario file. @param name without its ending */
export const downloadState = async (name: string, format: Format): Promise<void> =>
  download(`${name}.${format}`, await callFile(`state/file?format=${format}`));

/**
 * Lets the user choose a scenario file, and restarts the session from it, under the name of the file.
 *
 * @param fail is called with the lines of all mistakes
 */
export const chooseFile = (fail?: (message: string | undefined) => void): void => {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.yaml,.yml,.json' });
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    const path = `scenario/file?name=${encodeURIComponent(file.name)}`;
    void act({
      run: () => callFile(path, { method: 'POST', body: file }),
      done: `${file.name.replace(/\.[^.]*$/, '')} is loaded.`,
      fail,
    });
  };
  input.click();
};

/** The name of a file of the present state: that of its scenario, and the date of its clock: `default-2026-01-15`. */
export const fileNameOf = (scenario: string, seconds: number): string =>
  `${scenario.replace(/-\d{4}-\d\d-\d\d$/, '')}-${new Date(seconds * 1000).toISOString().slice(0, 10)}`;

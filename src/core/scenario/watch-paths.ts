import { join } from 'node:path';
import { filesOf, listFiles, statOf } from './folder.ts';

/** How often to look at the files, in milliseconds. */
const interval = 200;

/**
 * Calls back shortly after a scenario or fixture in these paths has changed. Returns a function that stops watching.
 *
 * It compares the files at intervals. The watchers of the system report nothing about a link that now leads to another file,
 * and nothing more about a folder that was replaced by another one.
 */
export const watchPaths = (paths: readonly string[], onChange: () => void): (() => void) => {
  let loaded = stateOf(paths);
  let previous = loaded;
  const timer = setInterval(() => {
    const present = stateOf(paths);
    // A file that differs from the last look may not be complete yet.
    if (present === previous && present !== loaded) {
      loaded = present;
      onChange();
    }
    previous = present;
  }, interval).unref();
  return () => clearInterval(timer);
};

/** A text that changes when one of the files does. */
const stateOf = (paths: readonly string[]): string => {
  try {
    const prompts = paths.flatMap((path) => listFiles(join(path, 'fixtures/prompts')));
    return [...paths.flatMap(filesOf), ...prompts].map(describe).join('\n');
  } catch (error) {
    return String(error); // such as a folder that was removed in between
  }
};

const describe = (file: string): string => {
  const stat = statOf(file); // of the file to which a link leads
  return `${file} ${stat?.dev} ${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`;
};

import { join } from 'node:path';
import { filesOf, listFiles, statOf } from './folder.ts';

/** The time between two comparisons of the files, in milliseconds. */
const interval = 200;

/**
 * Calls back shortly after a scenario or fixture in these paths has changed. Returns a function that stops watching.
 *
 * It compares the files at intervals. The watchers of the operating system miss a link that now leads to another file, and stop
 * reporting about a folder that was replaced.
 */
export const watchPaths = (paths: readonly string[], onChange: () => void): (() => void) => {
  let loaded = stateOf(paths);
  let previous = loaded;
  const timer = setInterval(() => {
    const present = stateOf(paths);
    // A file that has just changed may not be complete yet.
    if (present === previous && present !== loaded) {
      loaded = present;
      onChange();
    }
    previous = present;
  }, interval).unref();
  return () => clearInterval(timer);
};

/** A text that changes when any of the files changes. */
const stateOf = (paths: readonly string[]): string => {
  try {
    const prompts = paths.flatMap((path) => listFiles(join(path, 'fixtures/prompts')));
    return [...paths.flatMap(filesOf), ...prompts].map(describe).join('\n');
  } catch (error) {
    return String(error); // such as a folder that was removed in between
  }
};

const describe = (file: string): string => {
  const stat = statOf(file); // follows links
  return `${file} ${stat?.dev} ${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`;
};

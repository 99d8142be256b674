import { type FSWatcher, readdirSync, realpathSync, unwatchFile, watch, watchFile } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isFile, isFolder, isLink, statOf } from './is-folder.ts';
import { isScenarioFile } from './path.ts';

/** How often to look whether a folder was made, replaced or removed, in milliseconds. */
const interval = 500;

/** Calls back shortly after a scenario or fixture in these paths has changed. Returns a function that stops watching. */
export const watchPaths = (paths: readonly string[], onChange: () => void): (() => void) => {
  // Editors replace a file by a new one, so the folder is watched.
  const folders = new Set(
    paths.flatMap((path) =>
      isFolder(path)
        ? [path, join(path, 'fixtures/prompts'), join(path, 'fixtures/responses')]
        : [dirname(resolve(path))],
    ),
  );
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, 50);
  };
  const links = [...folders].filter(isFolder).flatMap((folder) =>
    readdirSync(folder)
      .map((file) => join(folder, file))
      .filter((file) => isScenarioFile(file) && isLink(file) && isFile(file)),
  );
  const stops = [
    ...[...folders].map((folder) => watchFolder(folder, soon)),
    ...links.map((link) => watchTarget(link, soon)),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
};

/**
 * Watches a folder, which may be made later, or be replaced by another one, as a switch of branches does: the system's
 * watcher stays with the old one.
 */
const watchFolder = (folder: string, onChange: () => void): (() => void) => {
  let watcher: FSWatcher | undefined;
  let watched = identityOf(folder);
  const open = (): void => {
    watcher?.close();
    watcher = undefined;
    if (watched === undefined) return;
    try {
      watcher = watch(folder, (_event, file) => {
        // The folder itself was moved or removed. Another one may get the same identity.
        if (file === basename(folder)) watched = undefined;
        // Editors also write other files, such as swap files. A link may be to the folder of the files, as in a ConfigMap.
        if (file === null || isScenarioFile(file) || isLink(join(folder, file))) onChange();
      }).on('error', () => {
        watched = undefined;
      });
    } catch {
      watched = undefined; // it was removed since
    }
  };
  open();
  const look = setInterval(() => {
    const present = identityOf(folder);
    if (present === watched) return;
    watched = present;
    open();
    onChange();
  }, interval).unref();
  return () => {
    clearInterval(look);
    watcher?.close();
  };
};

/** Watches the file to which a link leads, which may be in another folder. */
const watchTarget = (link: string, onChange: () => void): (() => void) => {
  const read = (): string | undefined => (isFile(link) ? realpathSync(link) : undefined);
  let target = read();
  const look = (): void => {
    const previous = target;
    target = read();
    if (target === previous) onChange(); // the watcher of the folder sees a link that is set to another file
  };
  watchFile(link, { interval, persistent: false }, look);
  return () => unwatchFile(link, look);
};

const identityOf = (folder: string): string | undefined => {
  const stat = statOf(folder);
  return stat?.isDirectory() ? `${stat.dev}/${stat.ino}/${stat.birthtimeMs}` : undefined;
};

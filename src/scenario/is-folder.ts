import { type Stats, statSync } from 'node:fs';

/** Undefined if there is nothing, or a link that leads nowhere or in a circle. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
};

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;

export const isFile = (path: string): boolean => statOf(path)?.isFile() ?? false;

import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const schema = 'scenarios/scenario.schema.json';

/** The first line of a YAML file in a folder of a project. It shows editors where the installed schema is. */
export const installedSchemaComment = `# yaml-language-server: $schema=../node_modules/gateway-mock/${schema}\n`;

/**
 * The first line of a YAML file, which tells editors where its schema is: a relative path if the package is installed in
 * the file's project, or if the file is in a clone of the package; otherwise the URL of the running package's schema. Empty
 * if there is no schema.
 */
export const schemaComment = (file: string): string => {
  const folder = dirname(resolve(file));
  const installed = findAbove(folder, join('node_modules/gateway-mock', schema));
  const running = findAbove(dirname(fileURLToPath(import.meta.url)), schema);
  const found = installed ?? running;
  if (found === undefined) return '';
  const isNear = found === installed || folder.startsWith(resolve(found, '../..') + sep);
  const place = isNear ? toRelative(folder, found) : pathToFileURL(found).href;
  return `# yaml-language-server: $schema=${place}\n`;
};

/** Looks for a file in a folder and in the folders above it. */
export const findAbove = (folder: string, path: string): string | undefined => {
  const file = join(folder, path);
  if (existsSync(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findAbove(above, path);
};

const toRelative = (folder: string, file: string): string => {
  const path = relative(folder, file).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
};

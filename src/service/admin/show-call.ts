import { toJsonText } from '../../core/util/json.ts';
import type { NamedCommand } from '../control/command.ts';

/** All paths of the admin API are below it. */
export const adminRoot = '/__admin';

/** The path of a command below the root. */
export const pathOf = ({ name }: Pick<NamedCommand, 'name'>): string => `/${name.replaceAll('.', '/')}`;

/** An example call of a command: with a query if it only reads, otherwise with a body. */
export const showCall = (command: NamedCommand): string => {
  const { example, isChange } = command;
  const path = adminRoot + pathOf(command);
  const entries = Object.entries(example);
  const takesQuery = !isChange && entries.every(([, value]) => typeof value !== 'object');
  if (!takesQuery) return `POST ${path}${entries.length === 0 ? '' : ` ${toJsonText(example)}`}`;
  const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)]));
  return `GET ${path}${entries.length === 0 ? '' : `?${query}`}`;
};

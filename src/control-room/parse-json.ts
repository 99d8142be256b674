import { parse } from 'lossless-json';
import { parseJson } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';

/** Parses JSON that a user wrote. @throws Error with the line and the column, which engines leave out for some errors */
export const parseInput = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(describe(text, error));
  }
};

const describe = (text: string, error: unknown): string => {
  try {
    parse(text);
  } catch (found) {
    const [, reason = '', at = ''] = /^(.*) at position (\d+)$/s.exec(messageOf(found)) ?? [];
    const lines = text.slice(0, Number(at)).split('\n');
    if (reason !== '')
      return `Invalid JSON at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${reason}.`;
  }
  return `Invalid JSON: ${messageOf(error)}`;
};

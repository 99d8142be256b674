// The line of a fault as the parts of a sentence, and back. The server checks the line.

interface FaultParts {
  readonly operation: string;
  /** `3`, `2-4` or `5-`; empty for all. */
  readonly calls: string;
  /** The conditions, as in the line. */
  readonly conditions: string;
  /** What happens, as in the line; empty until it is chosen. */
  readonly effect: string;
}

/** The parts of a line. Each line can be read, and is written again as it was, but for blanks. */
export const readFault = (line: string): FaultParts => {
  const text = (line.trim() === '' ? '*:' : line.trimStart()).replace(/^([^\s:=]+:)(?=\S)/, '$1 ');
  const [, target = '', conditions = '', effect = ''] = /^(\S*?)(?:\s(.*?))?:(?:\s+(.*))?$/s.exec(text) ?? [
    text,
    text,
  ];
  const [operation = '', calls = ''] = target.split('#');
  return { operation, calls, conditions, effect };
};

export const writeFault = ({ operation, calls, conditions, effect }: FaultParts): string =>
  `${operation}${calls && `#${calls}`}${conditions && ` ${conditions}`}: ${effect}`;

/** The conditions as a list: `path="/v1/a b"`, `times=2`. */
const listConditions = (conditions: string): string[] =>
  conditions.match(/[^\s=]+=(?:"(?:\\.|[^"])*"|[^\s"])*/g) ?? [];

/** The condition with a name, as it is written; empty if there is none. */
export const findCondition = ({ conditions }: FaultParts, name: string): string =>
  listConditions(conditions).find((condition) => condition.startsWith(`${name}=`)) ?? '';

/** Writes a condition in place of those with some names; none if it is empty. */
const replaceConditions = (parts: FaultParts, names: readonly string[], condition: string): FaultParts => {
  const others = listConditions(parts.conditions).filter(
    (other) => !names.some((name) => other.startsWith(`${name}=`)),
  );
  return { ...parts, conditions: [...others, condition].filter(Boolean).join(' ') };
};

/** Which calls, as one of the choices of the sentence: `#1-2`, `every=5`, `share=10%`; empty for all. */
export const readWhich = (parts: FaultParts): string =>
  parts.calls === '' ? findCondition(parts, 'every') || findCondition(parts, 'share') : `#${parts.calls}`;

export const withWhich = (parts: FaultParts, which: string): FaultParts => {
  const isNumber = which.startsWith('#');
  const calls = isNumber ? which.slice(1) : '';
  return replaceConditions({ ...parts, calls }, ['every', 'share'], isNumber ? '' : which);
};

export const withPath = (parts: FaultParts, condition: string): FaultParts =>
  replaceConditions(parts, ['path'], condition);

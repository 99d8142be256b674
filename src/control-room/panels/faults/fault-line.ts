// The line of a fault as the fields of a form, and back. The server checks the line.
import { usualWords } from '../../../core/faults/kinds.ts';

export interface FaultParts {
  readonly operation: string;
  /** `3`, `2-4` or `5-`; empty for all. */
  readonly calls: string;
  /** The conditions, as in the line. */
  readonly conditions: string;
  /** A kind, or `error`. */
  readonly kind: string;
  /** What follows the kind, as in the line: for an error its status first. */
  readonly details: string;
}

/** What the fields show before a line is written. */
const start = '*: 503';

/** The fields of a line. Each line can be read, and is written again as it was, but for blanks. */
export const readFault = (line: string): FaultParts => {
  const text = (line.trim() === '' ? start : line.trimStart()).replace(/^([^\s:=]+:)(?=\S)/, '$1 ');
  const [, target = '', conditions = '', effect = ''] = /^(\S*?)(?:\s(.*?))?:(?:\s+(.*))?$/s.exec(text) ?? [
    text,
    text,
  ];
  const [operation = '', calls = ''] = target.split('#');
  const [, kind = '', details = ''] = /^(\S*)\s?(.*)$/s.exec(effect) ?? [];
  return /^\d*$/.test(kind)
    ? { operation, calls, conditions, kind: 'error', details: effect }
    : { operation, calls, conditions, kind, details };
};

export const writeFault = ({ operation, calls, conditions, kind, details }: FaultParts): string => {
  const target =
    operation + (calls.trim() && `#${calls.replace(/\s/g, '')}`) + (conditions && ` ${conditions}`);
  return `${target}: ${[kind === 'error' ? '' : kind, details].filter(Boolean).join(' ')}`;
};

/** The same calls with another kind of fault. */
export const withKind = (parts: FaultParts, kind: string): FaultParts => {
  const usual = usualWords[kind];
  return { ...parts, kind, details: kind === 'error' ? '503' : usual === '' ? '2s' : '' }; // a time has no default
};

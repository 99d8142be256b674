// Why a request got its reply, in a few words for its row.
import { splitLine } from '../../../core/faults/tokens.ts';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { isUnmatched } from './filter.ts';
import { outcomeOf } from './texts.ts';

export type Tone = 'ok' | 'info' | 'warn' | 'bad' | 'idle';

export interface Why {
  readonly text: string;
  readonly tone: Tone;
}

/** The words of a fault's effect: `['503']`, `['delay', '3s']`. */
export const effectOf = (line: string): readonly string[] => splitLine(line)[1].map(({ text }) => text);

/** What faults did, in a few words. */
const describeFaults = (request: RecordedRequest): string =>
  request.faults
    .map((line) => {
      const [kind = '', detail = ''] = effectOf(line);
      if (kind === 'delay') return `+${detail.replace(/(\d)([a-z])/g, '$1 $2')}`;
      return /^\d/.test(kind) ? `${kind} by fault` : kind.replaceAll('-', ' ');
    })
    .join(', ');

/** Undefined if nothing is unusual. @param attempt which attempt of the same call it is, from 2 */
export const whyOf = (request: RecordedRequest, attempt: number | undefined): Why | undefined => {
  const { status, refusal, upstream, faults } = request;
  const outcome = outcomeOf(request);
  const isByFault = faults.length > 0;
  if (outcome === 'cut') return { text: isByFault ? describeFaults(request) : 'client left', tone: 'bad' };
  if (outcome === 'lost') return { text: isByFault ? describeFaults(request) : 'client left', tone: 'bad' };
  if (isByFault) return { text: describeFaults(request), tone: (status ?? 500) >= 500 ? 'bad' : 'warn' };
  if (refusal !== null)
    return {
      text: refusal.quota ? 'quota' : refusal.assumption.replaceAll('-', ' '),
      tone: (status ?? 500) >= 500 ? 'bad' : 'warn',
    };
  if (isUnmatched(request)) return { text: 'no such path', tone: 'warn' };
  if (attempt !== undefined) return { text: `attempt ${attempt}`, tone: 'idle' };
  if (upstream !== null) return { text: 'forwarded', tone: 'idle' };
  return undefined;
};

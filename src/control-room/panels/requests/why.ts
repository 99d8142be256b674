// Why a request got its reply, in a few words for its row.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { isBroken, isUnmatched } from './filter.ts';
import { effectOf, isClosedByFault } from './texts.ts';

export type Tone = 'ok' | 'info' | 'warn' | 'bad' | 'idle';

export interface Why {
  readonly text: string;
  readonly tone: Tone;
}

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
  const { outcome, bytes, status, refusal, upstream, faults } = request;
  if (isBroken(request) && !isClosedByFault(request)) return { text: 'client left', tone: 'bad' };
  if (outcome === 'cut') return { text: `cut at ${bytes.toLocaleString('en')} B`, tone: 'bad' };
  if (faults.length > 0)
    return { text: describeFaults(request), tone: (status ?? 500) >= 500 ? 'bad' : 'warn' };
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

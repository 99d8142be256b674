// Why a request got its reply, in a few words for its row.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { isBroken, isUnmatched } from './filter.ts';
import { type Tone, toneOfRequest } from './status.tsx';
import { effectOf, isClosedByFault } from './texts.ts';

/** Undefined if nothing is unusual. @param attempt which attempt of the same call it is, from 2 */
export const whyOf = (
  request: RecordedRequest,
  attempt: number | undefined,
): { readonly text: string; readonly tone: Tone } | undefined => {
  const { outcome, bytes, refusal, upstream, faults } = request;
  const tone = toneOfRequest(request);
  if (isBroken(request) && !isClosedByFault(request)) return { text: 'client left', tone };
  if (outcome === 'cut') return { text: `cut at ${bytes.toLocaleString('en')} B`, tone };
  if (faults.length > 0)
    return { text: faults.map(describeFault).join(', '), tone: tone === 'ok' ? 'warn' : tone };
  if (refusal !== null)
    return { text: refusal.quota ? 'quota' : refusal.assumption.replaceAll('-', ' '), tone };
  if (isUnmatched(request)) return { text: 'no such path', tone };
  if (attempt !== undefined) return { text: `attempt ${attempt}`, tone: 'idle' };
  if (upstream !== null) return { text: 'forwarded', tone: 'idle' };
  return undefined;
};

/** What a fault did: `503 by fault`, `+3 s`, `html error`. */
const describeFault = (line: string): string => {
  const [kind = '', detail = ''] = effectOf(line);
  if (kind === 'delay') return `+${detail.replace(/(\d)([a-z])/g, '$1 $2')}`;
  return /^\d/.test(kind) ? `${kind} by fault` : kind.replaceAll('-', ' ');
};

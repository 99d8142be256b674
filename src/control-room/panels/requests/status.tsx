// How a request ended, as a dot with its status. The shape says the same as the colour.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { isBroken, isUnmatched } from './filter.ts';
import { effectOf, isClosedByFault } from './texts.ts';

/** What a colour means: `var(--ok)` for texts, `var(--ok-soft)`, `var(--ok-fill)`. */
export type Tone = 'ok' | 'info' | 'warn' | 'bad' | 'idle';

export const toneOfRequest = (request: RecordedRequest): Tone => {
  if (request.outcome === 'pending') return 'info';
  if (isBroken(request)) return 'bad';
  const status = request.status ?? 500;
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok';
};

export const RequestStatus = ({ request }: { readonly request: RecordedRequest }) => {
  const { outcome, status } = request;
  const broken = outcome === 'cut' ? 'cut' : isClosedByFault(request) ? 'reset' : 'left';
  return (
    <span
      className="number"
      style={{ display: 'inline-flex', gap: 6, alignItems: 'center', color: 'var(--mantine-color-text)' }}
    >
      <Dot tone={toneOfRequest(request)} isHalf={isBroken(request)} />
      {isBroken(request) ? broken : (status ?? '…')}
    </span>
  );
};

/** A disc, a ring for a refusal, a square for a failure, half a disc for half a reply. */
export const Dot = ({ tone, isHalf = false }: { readonly tone: Tone; readonly isHalf?: boolean }) => (
  <svg width="8" height="8" viewBox="0 0 8 8" color={`var(--${tone}-fill)`} fill="currentColor" aria-hidden>
    {isHalf || tone === 'warn' || tone === 'info' ? (
      <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
    ) : (
      <rect width="8" height="8" rx={tone === 'bad' ? 2 : 4} />
    )}
    {isHalf && <path d="M4 0a4 4 0 0 0 0 8z" />}
  </svg>
);

/** Undefined if nothing is unusual. @param attempt which attempt of the same call it is, from 2 */
export const whyOf = (request: RecordedRequest, attempt: number | undefined) => {
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

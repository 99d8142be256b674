// How a request ended, as a dot with its status. The shape says the same as the colour.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { isBroken } from './filter.ts';
import { isClosedByFault } from './texts.ts';

/** What a colour means: `var(--ok)` for texts, `var(--ok-soft)`, `var(--ok-fill)`. */
export type Tone = 'ok' | 'info' | 'warn' | 'bad' | 'idle';

export const toneOfRequest = (request: RecordedRequest): Tone => {
  if (request.outcome === 'pending') return 'info';
  if (isBroken(request)) return 'bad';
  const status = request.status ?? 500;
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok';
};

export const Status = ({ request }: { readonly request: RecordedRequest }) => {
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

interface DotProps {
  readonly tone: Tone;
  readonly isHalf?: boolean;
}

/** A disc, a ring for a refusal, a square for a failure, half a disc for half a reply. */
export const Dot = ({ tone, isHalf = false }: DotProps) => (
  <svg width="8" height="8" viewBox="0 0 8 8" color={`var(--${tone}-fill)`} fill="currentColor" aria-hidden>
    {isHalf || tone === 'warn' || tone === 'info' ? (
      <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
    ) : (
      <rect width="8" height="8" rx={tone === 'bad' ? 2 : 4} />
    )}
    {isHalf && <path d="M4 0a4 4 0 0 0 0 8z" />}
  </svg>
);

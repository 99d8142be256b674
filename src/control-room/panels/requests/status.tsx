import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { outcomeOf } from './texts.ts';

/** How the dot and the bar of a request look. The text beside them says the same. */
export const lookOf = (request: RecordedRequest): string => {
  const outcome = outcomeOf(request);
  if (outcome === 'pending') return 'pending';
  if (outcome !== 'sent') return 'broken';
  const status = request.status ?? 500;
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';
};

/** Its status, or how it ended without a whole reply. */
export const statusText = (request: RecordedRequest): string => {
  const outcome = outcomeOf(request);
  if (outcome === 'cut') return 'cut';
  if (outcome === 'lost') return request.faults.length > 0 ? 'reset' : 'left';
  return String(request.status ?? '…');
};

export const Status = ({ request }: { readonly request: RecordedRequest }) => (
  <span className="request-status number">
    <i className="dot" data-look={lookOf(request)} />
    {statusText(request)}
  </span>
);

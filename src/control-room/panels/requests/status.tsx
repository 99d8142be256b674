import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { isBroken } from './filter.ts';
import { isClosedByFault } from './texts.ts';

/** How the dot and the bar of a request look. The text beside them says the same. */
export const lookOf = (request: RecordedRequest): string => {
  if (request.outcome === 'pending') return 'pending';
  if (isBroken(request)) return 'broken';
  const status = request.status ?? 500;
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';
};

/** Its status, or how it ended without a whole reply. */
export const statusText = (request: RecordedRequest): string => {
  if (request.outcome === 'cut') return 'cut';
  if (request.outcome === 'lost') return isClosedByFault(request) ? 'reset' : 'left';
  return String(request.status ?? '…');
};

export const Status = ({ request }: { readonly request: RecordedRequest }) => (
  <span className="request-status number">
    <i className="dot" data-look={lookOf(request)} />
    {statusText(request)}
  </span>
);

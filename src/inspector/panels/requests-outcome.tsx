import type { RecordedRequest } from '../../journal/recorded-request.ts';
import { Badge } from '../parts.tsx';
import { texts } from '../texts.ts';

const t = texts.requests;

/** The status of the reply, or that there was none. */
export const Outcome = ({ request: { id, status } }: { readonly request: RecordedRequest }) => {
  if (status !== null)
    return <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Badge>;
  return id === '' ? <Badge>{t.passedOn}</Badge> : <Badge tone="bad">{t.reset}</Badge>;
};

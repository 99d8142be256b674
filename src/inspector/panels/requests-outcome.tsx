import type { RecordedRequest } from '../../journal/entry.ts';
import { Badge, toneOfReply } from '../parts.tsx';

/** What there is to see of the answer: its status, or that there was none. */
export const Outcome = ({ request: { id, status } }: { readonly request: RecordedRequest }) => {
  if (status !== null) return <Badge tone={toneOfReply(status)}>{status}</Badge>;
  return id === '' ? <Badge>left</Badge> : <Badge tone="bad">reset</Badge>;
};

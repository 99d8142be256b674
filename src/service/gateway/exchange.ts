import type { Marking } from '../../core/assumptions/marking.ts';
import type { FaultDecision } from '../../core/faults/decide.ts';
import type { PageEffect } from '../../core/faults/effect.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { AnyOperation } from '../../core/operations/operation.ts';
import type { Call, LateReply, Sent } from '../../core/protocol/call.ts';
import type { Match } from '../../core/protocol/router.ts';
import type { IsCredential } from '../../core/util/mask.ts';
import type { Upstream } from './forward.ts';
import type { OpenedSession, SessionRules } from './open-session.ts';

export interface AnswerContext extends SessionRules {
  readonly operations: readonly AnyOperation[];
  /** Which headers, parameters and fields the journal masks. */
  readonly isCredential: IsCredential;
  /** The server that answers what no operation does. */
  readonly upstream?: Upstream | undefined;
  /** Listeners that get each reply once it was sent or lost. */
  readonly onSent: Set<(sent: Sent) => void>;
}

/** One call on its way to a reply, with what the steps of `answer` find. */
export interface Exchange {
  readonly context: AnswerContext;
  readonly call: Call;
  /** When the call arrived, by the stopwatch. */
  readonly arrived: number;
  /** When it arrived by the machine's clock, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** When it arrived by the world's clock, in seconds since 1970. */
  readonly time: number;
  readonly opened: OpenedSession;
  readonly marking: Marking;
  /** How often faults and quotas had counted before this call. */
  readonly uses: number;
  /** The operation; undefined if the call is refused before, or matches none. */
  match?: Match<AnyOperation> | undefined;
  refusal?: unknown;
  /** For a call that matches no operation: the nearest one. */
  nearest?: string;
  /** For a call to another server: sends it there. */
  forward?: LateReply['wait'] | undefined;
  faults?: FaultDecision | undefined;
  /** Why a page fault could not act. */
  idleReason?: string | undefined;
  requestId?: string;
  entry?: Entry;
}

/** A reply that is not there yet, such as that of another server. */
export type PendingReply = Pick<LateReply, 'wait'>;

/** What a fault does to the page of a list; undefined if no fault does. */
export const pageEffectOf = ({ faults }: Exchange): PageEffect | undefined =>
  faults?.effect !== undefined && 'page' in faults.effect ? faults.effect : undefined;

export const isCorsOpen = ({ marking }: Exchange): boolean => marking.assume('cors') === 'open';

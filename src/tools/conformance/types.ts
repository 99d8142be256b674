// What a check is, what it gets, and what it finds.
import type { AssumptionId } from '../../core/assumptions/table.ts';

/** The credential headers of a call. The target adds their values; checks never see a key. */
export type KeyHeader = 'x-gateway-api-key' | 'x-gateway-virtual-key';

/** One call that a check makes. */
export interface CheckCall {
  /** Checks only read. The one POST renders a prompt, which changes nothing; OPTIONS is the preflight of a browser. */
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  /** The path below the base URL, percent-encoded. */
  readonly path: string;
  /** The query string, percent-encoded, without the question mark. Default: none. */
  readonly query?: string | undefined;
  /** Extra headers, with names in lower case. They override those of the target. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The request body. Default: none. */
  readonly body?: string | undefined;
  /** The headers that the target must leave out of this call. */
  readonly without?: readonly (KeyHeader | 'vendor-beta')[] | undefined;
  /** Sends the API key as `Authorization: Bearer` as well. */
  readonly bearer?: true | undefined;
  /** Sends the call even if the same call had a reply before. Otherwise, a run reuses the earlier reply. */
  readonly fresh?: true | undefined;
  /** Set if the contract does not promise that the call succeeds. Any other call that is refused is a finding. */
  readonly mayFail?: true | undefined;
}

/** The reply to a {@link CheckCall}. */
export interface CheckReply {
  /** The HTTP status code. */
  readonly status: number;
  /** Returns the value of a header by its lower-case name, or null. */
  readonly header: (name: string) => string | null;
  /** The body as text. */
  readonly text: string;
  /** How often the call was sent again because the target asked to wait. Default: 0. */
  readonly waits?: number | undefined;
}

/** The records of the target that checks may read. A check whose record is missing is not run. */
export interface CheckSamples {
  /** The id of a thread, ideally with more than 20 runs. */
  readonly thread?: string | undefined;
  /** The id of another thread that has runs, to use them as cursors. */
  readonly otherThread?: string | undefined;
  /** The id of a fine-tuning job, ideally with more than 10 checkpoints. */
  readonly job?: string | undefined;
  /** The id of an active rate-limits policy. */
  readonly policy?: string | undefined;
  /** The id of an archived rate-limits policy. */
  readonly archivedPolicy?: string | undefined;
  /** The id of a stored prompt. */
  readonly prompt?: string | undefined;
  /** Values for the prompt's variables. Each text among them must appear unchanged in the rendered messages. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The id of a stored prompt with the text of docs/verify.md, to see how sections and partials are rendered. */
  readonly probePrompt?: string | undefined;
}

/** A gateway to check, on any transport. */
export interface CheckTarget {
  /** Sends a call with both keys and the beta header, unless the call leaves them out. @throws Error if no reply arrives */
  readonly call: (call: CheckCall) => Promise<CheckReply>;
  /** The records that checks may read. */
  readonly samples: CheckSamples;
  /** Whether calls carry a virtual key. Default: true. */
  readonly hasVirtualKey?: boolean | undefined;
  /** Removes the keys from text for a report: a target may repeat them anywhere in its replies. Default: no change. */
  readonly hide?: ((text: string) => string) | undefined;
}

/** The things that a check may need from its target: a sample, or a virtual key. */
export type CheckNeed = keyof CheckSamples | 'virtualKey';

/**
 * One result of a check.
 *
 * - `failed`: the target breaks a promise of the contract.
 * - `differs`: the contract is silent here, and the target does not do what the mock does by default.
 * - `unchecked`: the check, or a part of it, could not be done.
 * - `note`: information about the run, such as how much of a list was read. It does not affect the outcome.
 */
export type CheckFinding =
  | (CheckObservation & { readonly kind: 'failed' })
  | (CheckObservation & {
      readonly kind: 'differs';
      readonly assumption: AssumptionId;
      /** The value of the assumption that matches the target; undefined if none does. */
      readonly value: string | undefined;
    })
  | {
      readonly kind: 'unchecked';
      /** Why it could not be checked. */
      readonly reason: string;
      /**
       * Set if a call that should succeed was refused, could not be read or got no reply, if the run reached its limit of calls
       * or time, or if the option that the check needs was not set.
       */
      readonly cause?: UncheckedCause | undefined;
    }
  | {
      readonly kind: 'note';
      readonly message: string;
    };

/** Why a check could not be done, if more records in the target would not help. */
export type UncheckedCause = 'refused' | 'unreadable' | 'unanswered' | 'cut short' | 'not given';

/** A call, with the expected and the actual reply. The texts contain no keys. */
export interface CheckObservation {
  /** The call, such as `GET /batches?limit=1`. */
  readonly request: string;
  /** The expected reply, in words. */
  readonly expected: string;
  /** The actual reply, in words. */
  readonly actual: string;
  /** Which part of the check this is about, if it has several: a field, an order or a parameter. The same in every run. */
  readonly about?: string | undefined;
}

/** A conformance check: one promise of the contract that can be tested against any gateway. */
export interface Check {
  /** Unique, such as `runs-order`. The check of an assumption is `assumed:` and the id of the assumption. */
  readonly id: string;
  /** The section of the contract that makes the promise; for an assumption, the section that is silent. */
  readonly section: string;
  /** The promise, as a sentence. */
  readonly description: string;
  /** The samples and keys that the target must have for this check to run. */
  readonly needs: readonly CheckNeed[];
  /** Runs the check. It yields no `failed` or `differs` finding if the promise holds. */
  readonly run: (target: CheckTarget) => AsyncIterable<CheckFinding>;
  /** Creates an inspection of every reply of a run, whichever check made the call; called once for each run. A single bad reply counts. */
  readonly watch?: (() => InspectReply) | undefined;
}

/** Yields what is wrong with one reply. */
export type InspectReply = (
  call: CheckCall,
  reply: CheckReply,
  samples: CheckSamples,
) => Iterable<CheckFinding>;

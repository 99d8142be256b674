import type { AssumptionId } from '../assumptions/table.ts';

/** What the error reply to a refused call says. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** The parameter that is wrong: a name, or a path in the body such as `messages[0].content`. */
  readonly param?: string | undefined;
  readonly code?: string | undefined;
  /** Default: the type that belongs to the status. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The policy that refuses the call, for the journal: it is not part of the reply. */
  readonly quota?: RefusingQuota;
}

/** A policy whose limit a call would exceed. */
export interface RefusingQuota {
  /** The id of the policy. */
  readonly policy: string;
  /** The name of the policy. */
  readonly name: string | null;
  /** What the policy limits. */
  readonly type: 'requests' | 'tokens';
  /** How many requests or tokens the policy allows in a window. */
  readonly limit: number;
  /** How many were used when the call arrived. */
  readonly used: number;
  /** How many the call would have used. */
  readonly cost: number;
  /** When the window ends on the world's clock: a date-time in UTC. */
  readonly resets_at: string;
}

/** Thrown by every check of a call, from its session to its handler, and by commands. `replyToError` and the admin API turn it into a reply. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly assumption: AssumptionId;
  readonly refusal: Refusal;

  constructor(assumption: AssumptionId, refusal: Refusal) {
    super(refusal.message);
    this.assumption = assumption;
    this.refusal = refusal;
  }
}

/** The error code over HTTP if requests were dropped. It tells this error from that of a removed session, which is also a 410. */
export const droppedCode = 'requests_dropped';

/** The error code over HTTP if `requests.expect` fails. */
export const expectationCode = 'expectation_failed';

/** An error of the control with a status of its own over HTTP; other errors have 400. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The body of every error, under the assumption `error-body`. */
export const toErrorBody = ({ status, message, type, param, code }: Refusal) => ({
  success: false,
  status: 'failure',
  message,
  error: { message, type: type ?? errorType(status), param: param ?? null, code: code ?? null },
  data: { message, errorCode: errorCode(status) },
});

export const jsonHeaders = { 'content-type': 'application/json' };

export const toErrorReply = (refusal: Refusal) => ({
  status: refusal.status,
  headers: { ...jsonHeaders, ...refusal.headers },
  body: JSON.stringify(toErrorBody(refusal)),
});

const errorType = (status: number): string => {
  if (status >= 500) return 'server_error';
  return (
    { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' }[status] ??
    'invalid_request_error'
  );
};

const errorCodes: Readonly<Record<number, string>> = {
  ...{ 400: 'AB01', 413: 'AB01', 415: 'AB01' }, // validation
  403: 'AB03',
  500: 'AB04',
  401: 'AB05',
  429: 'AB06',
  409: 'AB07',
  404: 'AB08',
  ...{ 402: 'AB09', 412: 'AB09' }, // budget
};

const errorCode = (status: number): string => errorCodes[status] ?? 'AB00';

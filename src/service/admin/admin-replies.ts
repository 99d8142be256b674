import { ControlError, GatewayError, type Refusal, toErrorBody } from '../../core/protocol/errors.ts';
import { ScenarioError } from '../../core/scenario/scenario-error.ts';
import { describeBug, reportBug } from '../../core/util/bug.ts';
import { isOwnError } from '../../core/util/caller.ts';
import { toJsonText } from '../../core/util/json.ts';
import { nodeCodeOf } from '../../core/util/message-of.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { ValidationError } from '../../core/util/validation-error.ts';

/** A reply of the admin API: JSON, an empty body, or a file of the control room. */
export interface AdminReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text, or its compressed bytes. */
  readonly body: string | Uint8Array;
  /** The session that `sessions.create` created: the reply names its world. */
  readonly createdSession?: string | undefined;
  /** The session whose events the reply streams instead of a body. */
  readonly streamed?: string;
}

/** The reply with the result of a command; null if it has no result. */
export const toJson = (value: unknown, indent = 0): AdminReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: toJsonText(value ?? null, indent),
});

export const replyToAdminError = (error: unknown): AdminReply => {
  if (error instanceof GatewayError) return toAdminError(error.refusal);
  if (error instanceof ScenarioError)
    return toAdminError({ status: 400, message: error.message }, error.errors);
  if (error instanceof ControlError) {
    const { status, message, code } = error;
    const headers: Record<string, string> = status === 503 ? { 'retry-after': '1' } : {};
    return toAdminError({ status, message, headers, ...(code && { code }) });
  }
  if (!isOwnError(error)) {
    reportBug(error);
    return toAdminError({ status: 500, message: describeBug(error) });
  }
  const code = nodeCodeOf(error);
  if (code === undefined) return toAdminError({ status: 400, message: error.message });
  const message = `Failed to answer the call: the server failed with ${code}. If this happens again, restart the server.`;
  return toAdminError({ status: 500, message });
};

/** The most characters of a message, which may quote what a client sent. */
const maxMessage = 30_000;

export const toAdminError = (refusal: Refusal, errors?: readonly ValidationError[]): AdminReply => ({
  status: refusal.status,
  headers: { 'content-type': 'application/json', ...refusal.headers },
  body: JSON.stringify({
    ...toErrorBody({ ...refusal, message: truncate(refusal.message, maxMessage) }),
    ...(errors && { errors }),
  }),
});

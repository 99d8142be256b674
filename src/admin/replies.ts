import { ControlError, GatewayError, toErrorBody } from '../protocol/errors.ts';
import { ScenarioError, type ScenarioMistake } from '../scenario/scenario-error.ts';
import { toJsonText } from '../util/json.ts';
import { clientMessageOf, messageOf, nodeCodeOf } from '../util/message-of.ts';
import { truncate } from '../util/truncate.ts';

/** An answer of the admin API: JSON, none, or a file of the page. */
export interface AdminReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text, or its compressed bytes. */
  readonly body: string | Uint8Array;
  /** The session that `sessions.create` made: the reply names its world. */
  readonly made?: string | undefined;
  /** The events that the reply streams instead of a body. */
  readonly stream?: { readonly isForAll: boolean; readonly bodies: boolean };
}

/** The result of a command; null if it has none. */
export const toJson = (value: unknown, indent = 0): AdminReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: toJsonText(value ?? null, indent),
});

export const toErrorReply = (error: unknown): AdminReply => {
  if (error instanceof GatewayError)
    return errorReply(error.refusal.status, error.refusal.message, error.refusal.headers);
  if (error instanceof ScenarioError) return errorReply(400, error.message, {}, error.mistakes);
  if (error instanceof ControlError) {
    const { status, message, code } = error;
    return errorReply(status, message, status === 503 ? { 'retry-after': '1' } : {}, undefined, code);
  }
  if (nodeCodeOf(error) !== undefined)
    return errorReply(
      500,
      `Failed to answer the call: the server failed with ${clientMessageOf(error)}. If this happens again, restart the server.`,
    );
  return errorReply(400, messageOf(error));
};

/** The most characters of a message, which may quote what a client sent. */
const maxMessage = 30_000;

export const errorReply = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  mistakes?: readonly ScenarioMistake[],
  code?: string,
): AdminReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({
    ...toErrorBody({ status, message: truncate(message, maxMessage), ...(code && { code }) }),
    ...(mistakes && { mistakes }),
  }),
});

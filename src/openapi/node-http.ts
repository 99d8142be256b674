import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import { GatewayError, refuse, toErrorBody } from '../protocol/errors.ts';
import { splitSession } from '../protocol/paths.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { worldHeader } from '../protocol/world-headers.ts';
import { sendWhole, splitTarget } from '../transports/node-http.ts';
import { catchLateBugs } from '../transports/safety-net.ts';
import { truncate } from '../util/truncate.ts';
import type { Described } from './document.ts';

/** The server whose gateway is described. */
export interface OpenapiTarget {
  readonly version: string;
  /** Its address, such as `http://127.0.0.1:4010`. */
  readonly url: () => string;
  /** The assumption values of a session. @throws GatewayError if the session cannot be described */
  readonly choicesOf: (session: string) => AssumptionChoices;
  /** The id of a session's world; undefined if the session does not exist. */
  readonly worldOf: (session: string) => string | undefined;
}

/**
 * Answers GET and HEAD of `/openapi.json`, for the default session or the one in the header x-mock-session, and of
 * `/sessions/NAME/openapi.json`. Returns whether it did. The document describes the session with its base URL and its
 * assumptions. It does not create the session: one that does not exist is described as it would start. Any web page may
 * read the document, since it contains no records.
 */
export const createOpenapiListener = (target: OpenapiTarget) => {
  const describe = createDescribe(target.version);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!request.url?.includes('/openapi.json')) return false; // a fast exit for most calls
    const { path: whole, query } = splitTarget(request.url);
    const { name, path } = splitSession(whole);
    if (path !== '/openapi.json' || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const session = name ?? request.headers['x-mock-session']?.toString();
    const sent = answer(target, session, query, describe).then(({ status, body, world }) => {
      const headers = {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        ...(world !== undefined && { [worldHeader]: world }),
      };
      sendWhole(response, status, headers, body, request.method);
    });
    catchLateBugs(response, sent);
    return true;
  };
};

type Describe = (described: Required<Described>) => Promise<string>;

/** Loads the code that creates the document. */
export const loadDocument = () => import('./document.ts');

/** Stands for the base URL in the text that sessions share. */
const anyBaseUrl = 'http://base-url.invalid/v1';

/**
 * Creates the document as text. Its code is loaded on first use. Creating one takes about 100 ms, so the last text is cached,
 * for all sessions with the same assumptions.
 */
const createDescribe = (version: string): Describe => {
  let last: { readonly key: string; readonly text: Promise<string> } | undefined;
  return async ({ baseUrl, choices }) => {
    const key = JSON.stringify(choices);
    if (last?.key !== key) {
      const text = loadDocument().then(({ openapiText }) =>
        openapiText(version, { baseUrl: anyBaseUrl, choices }),
      );
      last = { key, text };
      text.catch(() => {
        last = undefined; // so that the next request tries again
      });
    }
    return (await last.text).replace(anyBaseUrl, () => baseUrl);
  };
};

const answer = async (
  { url, choicesOf, worldOf }: OpenapiTarget,
  session: string | undefined,
  query: string,
  describe: Describe,
): Promise<{ readonly status: number; readonly body: string; readonly world?: string | undefined }> => {
  if (query !== '') {
    const message = `GET /openapi.json takes no query, but found "?${truncate(query)}". To choose a session, use the path /sessions/NAME/openapi.json.`;
    return { status: 400, body: JSON.stringify(toErrorBody({ status: 400, message })) };
  }
  try {
    if (session !== undefined && !isSessionName(session))
      refuse('session-name', {
        status: 400,
        message: `Invalid session name '${truncate(session)}': ${sessionNameRule}.`,
        param: 'x-mock-session',
      });
    const baseUrl = session === undefined ? `${url()}/v1` : `${url()}/sessions/${session}/v1`;
    const described = session ?? defaultSession;
    const body = await describe({ baseUrl, choices: choicesOf(described) });
    return { status: 200, body, world: worldOf(described) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { status: error.refusal.status, body: JSON.stringify(toErrorBody(error.refusal)) };
  }
};

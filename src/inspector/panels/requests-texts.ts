// Requests as texts to take along: a command for the shell, a fault's line.
import type { RecordedRequest } from '../../journal/entry.ts';
import { targetOf } from './requests-rows.ts';

/** What curl says by itself, or what says how a connection was used, and the session, which the URL names. */
const leftOut =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|expect|te|upgrade|x-mock-session|sec-.*)$/;

/**
 * The request as a command for any POSIX shell. What the journal masked is left to variables, such as
 * `$GATEWAY_API_KEY` for `x-gateway-api-key`.
 *
 * @param baseUrl of the session, with `/v1`
 */
export const toCurl = (request: RecordedRequest, baseUrl: string): string => {
  const { method, headers, body } = request;
  const url = `${baseUrl.replace(/\/v1$/, '')}${targetOf(request)}`;
  const hasType = Object.hasOwn(headers, 'content-type');
  const parts = [
    `curl ${quote(url)}`,
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    ...methodParts(method, body),
    ...Object.entries(headers)
      .filter(([name]) => !leftOut.test(name))
      .map(([name, value]) => `-H ${toHeader(name, value)}`),
    ...(body === null ? [] : [...(hasType ? [] : ["-H 'content-type:'"]), `--data-raw ${quote(body)}`]),
  ];
  return parts.join(' \\\n  ');
};

/** The variables that the command waits for. */
export const variablesIn = ({ headers }: RecordedRequest): string[] =>
  Object.entries(headers)
    .filter(([name, value]) => isMasked(value) && !leftOut.test(name))
    .map(([name]) => variableOf(name));

const methodParts = (method: string, body: string | null): string[] => {
  if (method === 'HEAD') return ['--head'];
  return method === (body === null ? 'GET' : 'POST') ? [] : [`-X ${quote(method)}`];
};

const toHeader = (name: string, value: string): string => {
  if (value === '') return quote(`${name};`); // curl's way to send one without a value
  if (!isMasked(value)) return quote(`${name}: ${value}`);
  const variable = `$${variableOf(name)}`;
  // Most names are plain; in others a shell would find something to run.
  return /^[\w-]+$/.test(name) ? `"${name}: ${variable}"` : `${quote(`${name}: `)}"${variable}"`;
};

/** As `maskCredential` writes it. */
const isMasked = (value: string): boolean => /^\*{3}(?:.{4})?$/.test(value);

const variableOf = (name: string): string =>
  name
    .replace(/^x-/, '')
    .toUpperCase()
    .replace(/\W/g, '_')
    .replace(/^(?=\d)/, '_');

/** Single quotes keep everything as it is; one of them is put between two such texts. */
const quote = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A fault that such a request meets; undefined for one that no operation has, which no fault reaches. */
export const toFaultLine = ({ operation, params, path }: RecordedRequest): string | undefined => {
  if (operation === null) return undefined;
  const clause = Object.keys(params).length === 0 ? '' : ` path=${quoteValue(path)}`;
  return `${operation}${clause}: 503`;
};

/** A value that stands for itself, or one in JSON. */
const quoteValue = (value: string): string =>
  /^[^\s"{[]\S*$/.test(value) && !value.endsWith(':') ? value : JSON.stringify(value);

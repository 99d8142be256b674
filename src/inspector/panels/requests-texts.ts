// Texts to copy for a request: a shell command, and the line of a fault.
import type { RecordedRequest } from '../../journal/entry.ts';
import { targetOf } from './requests-rows.ts';

/** Headers that are left out: those that curl sends itself, those about the connection, and the session, which is in the URL. */
const leftOut =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|expect|te|upgrade|x-mock-session|sec-.*)$/;

/**
 * The request as a command for any POSIX shell. Masked values become variables, such as
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

/** The variables that the command needs. */
export const variablesIn = ({ headers }: RecordedRequest): string[] =>
  Object.entries(headers)
    .filter(([name, value]) => isMasked(value) && !leftOut.test(name))
    .map(([name]) => variableOf(name));

const methodParts = (method: string, body: string | null): string[] => {
  if (method === 'HEAD') return ['--head'];
  return method === (body === null ? 'GET' : 'POST') ? [] : [`-X ${quote(method)}`];
};

const toHeader = (name: string, value: string): string => {
  if (value === '') return quote(`${name};`); // how curl sends a header without a value
  if (!isMasked(value)) return quote(`${name}: ${value}`);
  const variable = `$${variableOf(name)}`;
  // Unusual names are quoted, since a shell might execute part of them.
  return /^[\w-]+$/.test(name) ? `"${name}: ${variable}"` : `${quote(`${name}: `)}"${variable}"`;
};

/** The mask that `maskCredential` writes. */
const isMasked = (value: string): boolean => /^\*{3}(?:.{4})?$/.test(value);

const variableOf = (name: string): string =>
  name
    .replace(/^x-/, '')
    .toUpperCase()
    .replace(/\W/g, '_')
    .replace(/^(?=\d)/, '_');

/** Quotes a text for a shell in single quotes. */
const quote = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The line of a fault for such requests; undefined if no operation matches, since faults do not apply then. */
export const toFaultLine = ({ operation, params, path }: RecordedRequest): string | undefined => {
  if (operation === null) return undefined;
  const clause = Object.keys(params).length === 0 ? '' : ` path=${quoteValue(path)}`;
  return `${operation}${clause}: 503`;
};

/** A plain value, or one in JSON if it must be quoted. */
const quoteValue = (value: string): string =>
  /^[^\s"{[]\S*$/.test(value) && !value.endsWith(':') ? value : JSON.stringify(value);

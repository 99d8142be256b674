import { styleText } from 'node:util';
import type { AnyOperation } from '../../core/operations/operation.ts';
import { fillPath } from '../../core/protocol/paths.ts';
import { operations } from '../../core/scenario/scenario-schema.ts';
import type { Control, ScenarioKeys } from '../../service/control/control-interface.ts';
import { type ExampleCall, findExampleCall } from '../../service/gateway/example-call.ts';
import type { ServerOptions } from '../../service/server/server-options.ts';
import { printable, toPromptLine } from './prompt-line.ts';

type BannerOptions = Pick<ServerOptions, 'upstream' | 'calls'> & { readonly warnings?: readonly string[] };

/** The text printed when the server is ready: its address, ids to try, and a curl command for each operation. */
export const createBanner = async (
  baseUrl: string,
  { scenario, records }: Pick<Control, 'scenario' | 'records'>,
  isColoured: boolean,
  { upstream, calls, warnings = [] }: BannerOptions = {},
): Promise<string> => {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(style, text) : text;
  const ids = await listIds(records);
  const prompts = await describePrompts(records);
  const keys = await scenario.keys();
  const { name, seed } = await scenario.current();
  const lines = operations.map(async (operation) => {
    const { id, method, path } = operation;
    const call = await findExampleCall(operation, records);
    return [
      `  ${paint('green', method.padEnd(4))} ${path}  ${paint('dim', id)}`,
      ...(call === undefined ? [] : [`       ${curlLine(baseUrl, operation, call, keys)}`]),
    ];
  });
  return [
    `${paint('bold', 'gateway-mock')} serves ${paint('cyan', baseUrl)}  (scenario ${name}, seed ${seed})`,
    '',
    ...(await Promise.all(lines)).flat(),
    '',
    ...ids,
    ...prompts.map((line, index) => `  ${(index === 0 ? 'prompts:' : '').padEnd(9)} ${line}`),
    '',
    ...(typeof calls === 'string' ? [`Calls beside those of the contract: ${paint('cyan', calls)}`] : []),
    ...(upstream === undefined ? [] : [`Calls that no operation serves go to ${paint('cyan', upstream)}`]),
    ...warnings.map((warning) => paint('yellow', `Warning: ${warning}`)),
    `Open ${paint('cyan', baseUrl.replace(/\/v1$/, '/__admin/'))} to inspect and control it.`,
    paint('dim', 'Press Ctrl-C to stop.'),
    '',
  ].join('\n');
};

/** A command to paste into a shell. */
const curlLine = (
  baseUrl: string,
  { path, contract }: AnyOperation,
  { params, query, body }: ExampleCall,
  keys: ScenarioKeys,
): string => {
  const url = `${baseUrl}${fillPath(path, params)}${query === undefined ? '' : `?${query}`}`;
  const headers = [
    `x-gateway-api-key: ${keys.apiKey}`,
    ...(contract.virtualKey ? [`x-gateway-virtual-key: ${keys.virtualKey}`] : []),
    ...(body === undefined ? [] : ['content-type: application/json']),
  ];
  const data = body === undefined ? '' : ` -d ${quote(JSON.stringify(body))}`;
  return `curl -s ${quote(url)} ${headers.map((header) => `-H ${quote(header)}`).join(' ')}${data}`;
};

/** Quotes a text as one word of the system's shell: on Windows, of its command prompt. */
export const quote = (text: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;

/** How many records of a kind are shown. */
const maxShown = 8;

/** A line for each kind that calls need, except prompts, with its first few ids. */
const listIds = (records: Control['records']): Promise<readonly string[]> => {
  const lines = (['threads', 'jobs', 'policies'] as const).map(async (kind) => {
    const ids = (await records[kind].list({ limit: maxShown })).map((record) =>
      'status' in record && record.status === 'archived' ? `${record.id} (?status=archived)` : record.id,
    );
    return `  ${`${kind}:`.padEnd(9)} ${ids.map(printable).join(', ') || 'none'}`;
  });
  return Promise.all(lines);
};

/** A line for each of the first few prompts. */
const describePrompts = async ({ prompts }: Control['records']): Promise<readonly string[]> => {
  const listed = await prompts.list({ limit: maxShown });
  const lines = listed.map(async ({ id }) => toPromptLine(id, await prompts.describe(id)));
  return listed.length === 0 ? ['none'] : Promise.all(lines);
};

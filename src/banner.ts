import { styleText } from 'node:util';
import type { Control, ScenarioInfo } from './control.ts';
import { operations } from './scenario/schema.ts';

/** What a person sees when the server is ready: what is served, ids worth trying, and a curl line for each call. */
export const createBanner = async (
  baseUrl: string,
  { scenario, records }: Pick<Control, 'scenario' | 'records'>,
  keys: { readonly api: string; readonly virtual: string },
  isColoured: boolean,
): Promise<string> => {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(style, text) : text;
  const { ids, params } = await findExamples(records);
  const lines = operations.flatMap((operation) => {
    const { id, method, path } = operation;
    const curl = curlLine(baseUrl, operation, params, keys);
    return [
      `  ${paint('green', method.padEnd(4))} ${path}  ${paint('dim', id)}`,
      ...(curl === undefined ? [] : [`       ${curl}`]),
    ];
  });
  return [
    `${paint('bold', 'gateway-mock')} serves ${paint('cyan', baseUrl)}  (${describe(await scenario.current())})`,
    '',
    ...lines,
    '',
    ...Object.entries(ids).map(
      ([kind, some]) => `  ${`${kind}:`.padEnd(9)} ${some.map(printable).join(', ') || 'none'}`,
    ),
    '',
    `See and steer it at ${paint('cyan', baseUrl.replace(/\/v1$/, '/__admin/'))}`,
    paint('dim', 'Stop it with Ctrl-C.'),
    '',
  ].join('\n');
};

const describe = ({ name, seed }: ScenarioInfo): string => `scenario ${name}, seed ${seed}`;

type Params = Readonly<Record<string, string | undefined>>;

/** A line to paste into a shell; undefined where the scenario has nothing to ask for. */
const curlLine = (
  baseUrl: string,
  { method, path, contract }: (typeof operations)[number],
  params: Params,
  keys: { readonly api: string; readonly virtual: string },
): string | undefined => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => params[name] === undefined)) return undefined;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const headers = [
    `x-gateway-api-key: ${keys.api}`,
    ...(contract.virtualKey ? [`x-gateway-virtual-key: ${keys.virtual}`] : []),
    ...(method === 'POST' ? ['content-type: application/json'] : []),
  ];
  const body = method === 'POST' ? ` -d '{"variables":{"name":"Ada"}}'` : '';
  return `curl -s ${quote(baseUrl + filled)} ${headers.map((header) => `-H ${quote(header)}`).join(' ')}${body}`;
};

/** As a shell takes it for one word. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** An id is anybody's text: what could steer a terminal is not shown. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');

/** The first few of each kind; the very first stand in the curl lines. */
const findExamples = async ({ threads, jobs, policies, prompts }: Control['records']) => {
  const some = { limit: 8 };
  const found = await policies.list(some);
  const ids = {
    threads: (await threads.list(some)).map(({ id }) => id),
    jobs: (await jobs.list(some)).map(({ id }) => id),
    policies: found.map(({ id, status }) => (status === 'archived' ? `${id} (?status=archived)` : id)),
    prompts: (await prompts.list(some)).map(({ id }) => id),
  };
  const params: Params = {
    thread_id: ids.threads[0],
    fine_tuning_job_id: ids.jobs[0],
    rateLimitsPolicyId: found.find(({ status }) => status === 'active')?.id,
    promptId: ids.prompts[0],
  };
  return { ids, params };
};

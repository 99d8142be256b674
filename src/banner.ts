import { styleText } from 'node:util';
import type { ScenarioInfo } from './control.ts';
import { operations, type Scenario } from './scenario/schema.ts';

/** What a person sees when the server is ready: what is served, ids worth trying, and a curl line for each call. */
export const createBanner = (
  baseUrl: string,
  { name, seed }: ScenarioInfo,
  scenario: Scenario,
  keys: { readonly api: string; readonly virtual: string },
  isColoured: boolean,
): string => {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(style, text) : text;
  const examples = findExamples(scenario);
  const lines = operations.flatMap(({ method, path, id, contract }) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => examples.params[name] ?? 'unknown');
    const headers = [
      `-H ${quote(`x-gateway-api-key: ${keys.api}`)}`,
      ...(contract.virtualKey ? [`-H ${quote(`x-gateway-virtual-key: ${keys.virtual}`)}`] : []),
    ];
    const body =
      method === 'POST' ? ` -H 'content-type: application/json' -d '{"variables":{"name":"Ada"}}'` : '';
    return [
      `  ${paint('green', method.padEnd(4))} ${path}  ${paint('dim', id)}`,
      `       curl -s ${quote(baseUrl + filled)} ${headers.join(' ')}${body}`,
    ];
  });
  return [
    `${paint('bold', 'gateway-mock')} serves ${paint('cyan', baseUrl)}  (scenario ${name}, seed ${seed})`,
    '',
    ...lines,
    '',
    ...Object.entries(examples.ids).map(
      ([kind, ids]) => `  ${`${kind}:`.padEnd(9)} ${ids.join(', ') || 'none'}`,
    ),
    '',
    paint('dim', 'Stop it with Ctrl-C.'),
    '',
  ].join('\n');
};

/** As a shell takes it for one word. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The names that the scenario writes out: the first of each kind stands in the curl lines. */
const findExamples = ({ threads = {}, jobs = {}, policies = {}, prompts = {} }: Scenario) => {
  const ids = {
    threads: Object.keys(threads),
    jobs: Object.keys(jobs),
    policies: (policies.records ?? []).map(({ id, status }) =>
      status === 'archived' ? `${id} (?status=archived)` : id,
    ),
    prompts: Object.keys(prompts),
  };
  const params: Readonly<Record<string, string | undefined>> = {
    thread_id: ids.threads[0],
    fine_tuning_job_id: ids.jobs[0],
    rateLimitsPolicyId: policies.records?.find(({ status }) => status !== 'archived')?.id,
    promptId: ids.prompts[0],
  };
  return { ids, params };
};

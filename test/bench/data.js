// What is asked for, and what must be answered to it: gathered once from our own server, and left in a file for the
// other contenders, so that all send the same bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const keys = { 'x-gateway-api-key': 'bench', 'x-gateway-virtual-key': 'bench' };

/**
 * @typedef {object} Ask
 * @property {'GET' | 'POST'} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} [body]
 */

/**
 * @param {string} path
 * @returns {Ask}
 */
const get = (path) => ({ method: 'GET', path, headers: keys });

const runsPath = '/v1/threads/thread_bench/runs';

export const pageAsk = get(runsPath);
export const policyAsk = get('/v1/policies/rate-limits/11111111-1111-4111-8111-111111111111');

/** Fifty bodies that differ, so that nothing can keep the whole answer; their answers are of one length. */
export const renderAsks = Array.from({ length: 50 }, (_, at) => {
  const variables = {
    company: 'Acme',
    agent: { name: 'Robin', team: 'Orders' },
    customer: { name: `Ada ${at + 10}`, plan: 'team', is_vip: true },
    orders: [
      { id: 'A-1', item: 'lamp', status: 'sent' },
      { id: 'A-2', item: 'desk', status: 'open' },
    ],
    question: 'Where is my desk?',
  };
  /** @type {Ask} */
  const ask = {
    method: 'POST',
    path: '/v1/prompts/prompt_support/render',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify({ variables }),
  };
  return ask;
});

/**
 * @typedef {object} Run
 * @property {string} id
 *
 * @typedef {object} Page
 * @property {'list'} object
 * @property {Run[]} data
 * @property {string | undefined} first_id
 * @property {string | undefined} last_id
 * @property {boolean} has_more
 *
 * @typedef {object} Data
 * @property {Run[]} runs all 1,000, newest first
 * @property {string} page the answer to `pageAsk`
 * @property {string} policy the answer to `policyAsk`
 * @property {string} render the answer to the first of `renderAsks`
 */

/**
 * @param {string} url
 * @param {Ask} ask
 */
export const fetchText = async (url, { path, ...init }) => {
  const response = await fetch(url + path, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`Failed to ask ${url}${path}: ${response.status} ${text}`);
  return text;
};

/**
 * Walks the runs of the thread, a page of 100 at a time.
 *
 * @param {string} url
 * @param {{ count: number, order: 'asc' | 'desc' }} options
 */
export const walkRuns = async (url, { count, order }) => {
  /** @type {Run[]} */
  const runs = [];
  for (let after = ''; runs.length < count; after = `&after=${runs.at(-1)?.id}`) {
    /** @type {Page} */
    const page = JSON.parse(await fetchText(url, get(`${runsPath}?limit=100&order=${order}${after}`)));
    runs.push(...page.data);
    if (!page.has_more) break;
  }
  return runs;
};

/**
 * Gathers the data from our own server.
 *
 * @param {string} url
 * @param {string} folder
 * @returns {Promise<Data>}
 */
export const gatherData = async (url, folder) => {
  const [first] = renderAsks;
  if (first === undefined) throw new Error('There are no variables to render.');
  const data = {
    runs: await walkRuns(url, { count: 1000, order: 'desc' }),
    page: await fetchText(url, pageAsk),
    policy: await fetchText(url, policyAsk),
    render: await fetchText(url, first),
  };
  writeFileSync(join(folder, 'bench-data.json'), JSON.stringify(data));
  return data;
};

/**
 * @param {string} folder
 * @returns {Data}
 */
export const readData = (folder) => JSON.parse(readFileSync(join(folder, 'bench-data.json'), 'utf8'));

/** The first page, by requests that are all different. */
export const freshAsks = Array.from({ length: 100 }, (_, at) => get(`${runsPath}?fresh=${at}`));

/**
 * One request for each of the fifty pages of the 1,000 runs.
 *
 * @param {Data} data
 */
export const walkAsks = ({ runs }) =>
  Array.from({ length: 50 }, (_, at) =>
    get(at === 0 ? runsPath : `${runsPath}?after=${runs[at * 20 - 1]?.id}`),
  );

/**
 * A page that begins 90,000 runs deep. Of the hundred that do, about, it is the one whose bytes come nearest in number
 * to those of the first page: it is the depth that is to be measured, not the size.
 *
 * @param {string} url
 */
export const findDeepAsk = async (url) => {
  const { length } = await fetchText(url, pageAsk);
  const oldest = await walkRuns(url, { count: 10_000, order: 'asc' });
  const asks = oldest.slice(-100).map(({ id }) => get(`${runsPath}?after=${id}`));
  const sized = [];
  for (const ask of asks) sized.push({ ask, off: Math.abs((await fetchText(url, ask)).length - length) });
  const [nearest] = sized.toSorted((a, b) => a.off - b.off);
  if (nearest === undefined) throw new Error(`Failed to find a deep page: ${url} lists no runs.`);
  return nearest.ask;
};

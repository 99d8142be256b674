// What the sessions of the soak do: scripts of steps that are the same in each run, so that every reply can be compared
// with that of a run in which no other session exists.
import { Agent, request } from 'node:http';
import { keys } from './data.js';

/**
 * @typedef {object} Step
 * @property {'GET' | 'POST'} method
 * @property {string} path behind `/sessions/NAME`
 * @property {unknown} [body]
 */

/** How many different scripts there are. */
export const scriptCount = 24;

const admin = '/__admin';
const runs = '/v1/threads/thread_demo/runs';
const checkpoints = '/v1/fine_tuning/jobs/ftjob_demo/checkpoints';
const policy = '/v1/policies/rate-limits/11111111-1111-4111-8111-111111111111';
const render = '/v1/prompts/prompt_welcome/render';

/** @param {string} path @returns {Step} */
const get = (path) => ({ method: 'GET', path });

/** @param {string} path @param {unknown} [body] @returns {Step} */
const post = (path, body) => ({ method: 'POST', path, ...(body !== undefined && { body }) });

/** Creates a session, or starts it again. @param {string} session @returns {Step} */
export const toCreate = (session) => post(`${admin}/sessions/create`, { name: session });

/** Each makes some steps; `pick(n)` is a whole number below n. @type {((pick: (below: number) => number) => Step[])[]} */
const episodes = [
  (pick) => [get(`${runs}?limit=${1 + pick(100)}`), get(`${runs}?limit=5&order=asc`)],
  (pick) => [get(`/v1/batches?limit=${1 + pick(20)}`), get('/v1/batches?after=batch_unknown')],
  (pick) => [get(`${checkpoints}?limit=${1 + pick(10)}`), get(policy), get(`${policy}?status=archived`)],
  (pick) => [post(render, { variables: { name: `Ada ${pick(1000)}`, text: 'x'.repeat(pick(20_000)) } })],
  (pick) => [get('/v1/nothing'), get(`${runs}?limit=${pick(2) * 1000}`), post(render, [1])],
  (pick) => [
    post(`${admin}/faults/add`, { faults: [`listBatches#${1 + pick(2)}: ${faults[pick(faults.length)]}`] }),
    get('/v1/batches?limit=3'),
    get('/v1/batches?limit=2'),
    get(`${admin}/faults/list`),
    post(`${admin}/faults/clear`),
  ],
  (pick) => [
    post(`${admin}/clock/advance`, { by: `${1 + pick(600)}s` }),
    get(`${runs}?limit=10`),
    post(`${admin}/clock/next`),
    get(`${admin}/clock/timeline`),
  ],
  (pick) => [
    post(`${admin}/records/runs/create`, {
      fields: { id: `run_soak_${pick(1e6)}`, thread_id: 'thread_demo' },
    }),
    get(`${runs}?limit=2`),
    get(`${admin}/state/changes`),
  ],
  (pick) => [
    post(`${admin}/state/save`, { name: 'here' }),
    post(`${admin}/records/batches/create`, { fields: { id: `batch_soak_${pick(1e6)}` } }),
    get('/v1/batches?limit=1'),
    post(`${admin}/state/restore`, { name: 'here' }),
    get('/v1/batches?limit=1'),
  ],
  () => [post(`${admin}/quotas/enforce`), get(policy), get(`${runs}?limit=1`)],
  (pick) => [post(`${admin}/scenario/load`, { scenario: pick(2) ? 'in-flight' : 'default' })],
  () => [get(`${admin}/requests/count?operation=listRuns`), get(`${admin}/state/export`)],
];

const faults = [
  '503',
  '429 retry-after=0',
  'reset',
  'delay 20ms',
  'drip 50ms',
  'hang-up',
  'cursor-loop',
  'empty-page',
];

/** The steps of one script. @param {number} script @returns {Step[]} */
export const stepsOf = (script) => {
  let state = script + 1;
  /** @param {number} below */
  const pick = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: 30 }, () => episodes[pick(episodes.length)]?.(pick) ?? []).flat();
};

/** What must be the same in every run: all of a reply but the names of its session and its world. */
const comparedHeaders = ['content-type', 'x-request-id', 'x-mock-fault', 'x-mock-assumptions', 'retry-after'];

/**
 * @typedef {object} Answer
 * @property {string} text status, headers and body in one text; `failed` where the connection broke
 * @property {string | undefined} world the identity of the world that answered
 */

/** The connections to the server, which stay open between calls. */
const agent = new Agent({ keepAlive: true });

/** Closes all idle connections. */
export const disconnect = () => agent.destroy();

/**
 * Sends one step to a session.
 *
 * @param {string} url the address of the session: `http://…/sessions/NAME`
 * @param {Step} step
 * @param {Record<string, string>} [more] further headers
 * @returns {Promise<Answer>}
 */
export const send = (url, { method, path, body }, more = {}) =>
  new Promise((resolve) => {
    const headers = { ...keys, ...more, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
      const world = response.headers['x-mock-world'];
      const lines = comparedHeaders.map((name) => `${name}: ${response.headers[name]}`);
      let content = '';
      response.setEncoding('utf8').on('data', (text) => {
        content += text;
      });
      response.once('error', () => {}); // cut off: what came of it is compared
      response.once('close', () =>
        resolve({ text: [response.statusCode, ...lines, content].join('\n'), world: String(world) }),
      );
    });
    sent.once('error', () => resolve({ text: 'failed', world: undefined }));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

// The load: as many requests as are answered in a while, over 16 connections.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cores, start, startChild } from './processes.js';

const hasWrk = spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined;
export const loadTool = hasWrk && !process.argv.includes('--autocannon') ? 'wrk' : 'autocannon';

/**
 * @typedef {object} Outcome
 * @property {number} requests
 * @property {number} seconds
 * @property {number} failed
 */

/**
 * @param {string} url
 * @param {readonly import('./data.js').Ask[]} asks sent in turn
 * @param {number} duration in seconds
 * @returns {Promise<{ perSecond: number, seconds: number }>} the answers per second, and how long it really took
 */
export const measureLoad = async (url, asks, duration) => {
  const outcome = await (loadTool === 'wrk' ? runWrk : runAutocannon)(url, asks, duration);
  const { requests, seconds, failed } = outcome;
  if (failed > 0 || requests === 0)
    throw new Error(`Failed to measure ${url}${asks[0]?.path}: ${failed} of ${requests} requests failed.`);
  return { perSecond: requests / seconds, seconds };
};

/** @type {(url: string, asks: readonly import('./data.js').Ask[], seconds: number) => Promise<Outcome>} */
const runAutocannon = async (url, asks, seconds) =>
  JSON.parse(
    await startChild(cores.load, 'autocannon.js', [url, JSON.stringify(asks), String(seconds)]).end(),
  );

/** @type {string | undefined} */
let luaFolder;

/** Where wrk's scripts are, as long as this process lasts, however it ends. */
const openLuaFolder = () => {
  if (luaFolder !== undefined) return luaFolder;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  luaFolder = folder;
  return folder;
};

/** @type {typeof runAutocannon} */
const runWrk = async (url, asks, seconds) => {
  const script = join(openLuaFolder(), 'load.lua');
  writeFileSync(script, toLua(asks));
  // It takes whole seconds alone; but when interrupted, it ends in peace and tells how long it took. It never stays long.
  const wrk = start(cores.load, ['wrk', '-t1', '-c16', `-d${Math.ceil(seconds) + 2}s`, '-s', script, url]);
  setTimeout(() => wrk.kill('SIGINT'), seconds * 1000);
  return JSON.parse((await wrk.end()).trim().split('\n').at(-1) ?? '');
};

/**
 * All texts here are ASCII, so that JSON's strings are Lua's, too.
 *
 * @param {readonly import('./data.js').Ask[]} asks
 */
const toLua = (asks) => `
asks = {
${asks.map(toLuaAsk).join('\n')}
}
${asks.length === 1 ? sendOne : sendInTurn}
done = function(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('{"requests":%d,"seconds":%f,"failed":%d}', summary.requests, summary.duration / 1e6, failed))
end
`;

/** @param {import('./data.js').Ask} ask */
const toLuaAsk = ({ method, path, headers, body }) => {
  const fields = Object.entries(headers).map(
    ([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`,
  );
  const text = body === undefined ? 'nil' : JSON.stringify(body);
  return `  { method = "${method}", path = ${JSON.stringify(path)}, headers = {${fields.join(', ')}}, body = ${text} },`;
};

/** What is always the same, wrk sends by itself. */
const sendOne = 'for name, value in pairs(asks[1]) do wrk[name] = value end';

/** Only where there are several does it ask Lua, for each. */
const sendInTurn = `
local requests = {}
local turn = 0
local second = os.time()
init = function()
  for at, ask in ipairs(asks) do
    requests[at] = wrk.format(ask.method, ask.path, ask.headers, ask.body)
  end
end
request = function()
  turn = turn + 1
  local at = (turn - 1) % #requests + 1
  local ask = asks[at]
  if not ask.path:find('fresh=', 1, true) then return requests[at] end
  -- Never the same twice, whatever was asked in the rounds before.
  return wrk.format(ask.method, ask.path .. '-' .. second .. '-' .. turn, ask.headers, ask.body)
end`;

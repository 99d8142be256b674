// `npm run soak`: two hundred sessions use one server for ten minutes. It fails if a reply differs from that of a run in
// which its session was alone, if a call fails that no fault broke, if a credential shows up, or if memory or descriptors grow.
//   -- --seconds 60   a shorter run
//   -- --rounds 1     as many scripts for each session, without reloads and figures of memory, as its test does
//   -- --sessions 20  fewer sessions
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../../.config/bundle.js';
import { printTable } from './figures.js';
import { disconnect, scriptCount, send, stepsOf, toCreate } from './soak-scripts.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, sessions: { type: 'string' }, rounds: { type: 'string' } },
});
const seconds = Number(values.seconds ?? 600);
const sessions = Number(values.sessions ?? 200);
const rounds = Number(values.rounds ?? Number.POSITIVE_INFINITY);
const isTimed = values.rounds === undefined;

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-soak-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const scenario = join(folder, 'soak.yaml');
const writeScenario = () => writeFileSync(scenario, `extends: default # ${Date.now()}\n`);
writeScenario();
const built = fileURLToPath(new URL('../../node_modules/.cache/gateway-mock-soak', import.meta.url)); // finds its packages
rmSync(built, { recursive: true, force: true });
await bundle(built);

/** A server in a process of its own. It ends with this one, since its input then closes. */
const serve = async () => {
  const file = fileURLToPath(new URL('children/soak-server.js', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', file, built, scenario], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The server ended.');
    return value;
  };
  const url = await read();
  return {
    url,
    /** @returns {Promise<{ held: number, rss: number, descriptors: number }>} */
    measure: async () => {
      child.stdin.write('measure\n');
      return JSON.parse(await read());
    },
    leave: () => child.stdin.end(),
  };
};

/** Creates a session again. @param {string} url @param {string} session */
const begin = async (url, session) => {
  const base = `${url}/sessions/${session}`;
  const { world } = await send(base, toCreate(session));
  return { base, world };
};

// What must be answered: each script in a server of its own, one call after another.
/** @type {string[][]} */
const expected = [];
const solo = await serve();
for (let script = 0; script < scriptCount; script += 1) {
  const { base } = await begin(solo.url, `solo-${script}`);
  const answers = [];
  for (const step of stepsOf(script)) answers.push((await send(base, step)).text);
  expected.push(answers);
}
solo.leave();
const broken = expected.flat().find((text) => text.startsWith('500'));
if (broken !== undefined) throw new Error(`A session that is alone gets ${broken}`);

const { url, measure, leave } = await serve();
/** @type {string[]} */
const wrong = [];
let [calls, scripts, reloads, restarted, streams, leaks] = [0, 0, 0, 0, 0, 0];
/** How many calls ended in each second. @type {number[]} */
const bySecond = [];
let slowest = { duration: 0, what: '' };
const started = performance.now();
const isOver = () => performance.now() - started > seconds * 1000;

/** @param {number} start @param {import('./soak-scripts.js').Step} step */
const count = (start, { method, path }) => {
  const now = performance.now();
  calls += 1;
  const second = Math.floor((now - started) / 1000);
  bySecond[second] = (bySecond[second] ?? 0) + 1;
  if (now - start > slowest.duration) slowest = { duration: now - start, what: `${method} ${path}` };
};

/** Credentials that differ from call to call. */
const rotatingCredentials = () => {
  const secret = randomBytes(300).toString('base64url');
  return { secret, headers: { authorization: `Bearer ${secret}`, cookie: `session=${secret}; theme=dark` } };
};

/** Opens a stream of events, and drops it some time later. @param {string} base */
const openStream = (base) => {
  streams += 1;
  const sent = request(`${base}/__admin/events`, (response) => response.resume().on('error', () => {}));
  sent.on('error', () => {}).end();
  return () => sent.destroy();
};

/** Sends the first half of a request, and hangs up. @param {string} base */
const hangUp = (base) => {
  const { hostname, port, pathname } = new URL(base);
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST ${pathname}/v1/prompts/prompt_welcome/render HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 9000\r\n\r\n{"vari`,
    );
    socket.destroySoon();
  });
  socket.on('error', () => {});
};

/** Plays one script in a session. False if a reload of the scenario file ended its world on the way. @param {string} session @param {number} script */
const play = async (session, script) => {
  const { base, world } = await begin(url, session);
  const drop = script % 3 === 0 ? openStream(base) : () => {};
  const [first, last] = [rotatingCredentials(), rotatingCredentials()];
  try {
    for (const [at, step] of stepsOf(script).entries()) {
      const { headers } = at === 0 ? first : at % 2 === 0 ? last : rotatingCredentials();
      const start = performance.now();
      const answer = await send(base, step, headers);
      count(start, step);
      if (answer.text === expected[script]?.[at] && (answer.world ?? world) === world) continue;
      const present = await send(base, { method: 'GET', path: '/__admin/clock/now' });
      if (present.world !== world) return false;
      wrong.push(
        `${session}, script ${script}, step ${at}: ${JSON.stringify(step)}\n  expected ${expected[script]?.[at]}\n  but was  ${answer.text}`,
      );
    }
    const journal = await send(base, { method: 'GET', path: '/__admin/requests/list' });
    if (!journal.text.startsWith('200')) wrong.push(`${session}: its journal is ${journal.text}`);
    if ([first, last].some(({ secret }) => journal.text.includes(secret.slice(20, 60)))) leaks += 1;
    return true;
  } finally {
    drop();
    if (script % 5 === 0) hangUp(base);
    await send(base, { method: 'POST', path: '/__admin/sessions/delete', body: { name: session } });
  }
};

/** @param {number} session */
const work = async (session) => {
  for (let round = 0; round < rounds && !isOver(); round += 1)
    if (await play(`soak-${session}`, (session + round) % scriptCount)) scripts += 1;
    else restarted += 1;
};

const period = Math.min(60, seconds / 4);
const periods = Math.round(seconds / period);
/** @param {number} count */
const sleepUntil = (count) => sleep(Math.max(0, started + count * period * 1000 - performance.now()));

const reload = async () => {
  for (let count = 1; count < periods; count += 1) {
    await sleepUntil(count);
    writeScenario();
    reloads += 1;
  }
};

/** The memory is measured under load, each time halfway between two reloads, which empty all sessions. */
const watch = async () => {
  const figures = [];
  for (const count of [1, Math.floor(periods / 2), periods - 1]) {
    await sleepUntil(count + 0.5);
    figures.push(await measure());
  }
  return figures;
};

const atRest = await measure();
const [figures] = await Promise.all([
  isTimed ? watch() : [],
  isTimed ? reload() : undefined,
  ...Array.from({ length: sessions }, (_, at) => work(at)),
]);
disconnect();
await sleep(1000);
const after = await measure();
leave();

// The first second begins the sessions. From the last, a session may only end its script.
const slowestSecond = Math.min(
  ...Array.from({ length: Math.floor(seconds) - 1 }, (_, at) => bySecond[at + 1] ?? 0),
);
/** @param {number} bytes */
const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
/** @type {[string, string][]} */
const rows = [
  ['calls', String(calls)],
  ['scripts played to their end', String(scripts)],
  ['reloads of the scenario file', String(reloads)],
  ['scripts that a reload ended', String(restarted)],
  ['streams opened and dropped', String(streams)],
  ['wrong replies and failed calls', String(wrong.length)],
  ['credentials shown', String(leaks)],
  ...['start', 'middle', 'end'].map((when, at) => {
    const { held = 0, rss = 0, descriptors = 0 } = figures[at] ?? {};
    return /** @type {[string, string]} */ ([
      `memory and descriptors, ${when}`,
      `${inMegabytes(held)} held, ${inMegabytes(rss)} resident, ${descriptors} open`,
    ]);
  }),
  [
    'before and after',
    `${inMegabytes(atRest.held)} and ${inMegabytes(after.held)} held, ${atRest.descriptors} and ${after.descriptors} open`,
  ],
  ['slowest call', `${Math.round(slowest.duration)} ms, ${slowest.what}`],
  ...(isTimed ? [/** @type {[string, string]} */ (['slowest second', `${slowestSecond} calls`])] : []),
];
printTable([[`${sessions} sessions, ${seconds} s`, ''], ...rows]);

const [start, middle, end] = figures;
const errors = [
  ...wrong.slice(0, 10),
  ...(leaks > 0 ? [`${leaks} journals show a credential.`] : []),
  ...(restarted > reloads * sessions ? ['Sessions were lost without a reload.'] : []),
  ...(scripts === 0 ? ['No script was played to its end.'] : []),
  ...(start && middle && end && end.held > Math.max(start.held, middle.held) * 1.2 + 5e6
    ? ['The memory grew until the end.']
    : []),
  ...(isTimed && after.held > atRest.held + 30e6 ? ['The memory did not go back.'] : []),
  ...(after.descriptors > atRest.descriptors + 5 ? ['Descriptors are left open.'] : []),
];
for (const error of errors) console.error(error);
process.exit(errors.length === 0 ? 0 : 1);

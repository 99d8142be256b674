// Sessions that each play a script over and over, and compare every reply with that of a server in which they are alone.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Step, scriptCount, send, stepsOf } from '../bench/soak-scripts.js';

const admin = '/__admin';
const get = (path: string): Step => ({ method: 'GET', path });

/** A walk of a list by its cursors, and what the journal says of it. */
const walkSteps = async (base: string, headers: Record<string, string>): Promise<Step[]> => {
  const steps: Step[] = [];
  for (let path = '/v1/batches?limit=7'; ; ) {
    steps.push(get(path));
    const { text } = await send(base, get(path), headers);
    const { has_more, last_id } = JSON.parse(text.slice(text.indexOf('\n{')));
    if (!has_more) break;
    path = `/v1/batches?limit=7&after=${last_id}`;
  }
  return [
    ...steps,
    { method: 'POST', path: `${admin}/requests/walk`, body: { operation: 'listBatches' } },
    get(`${admin}/requests/count?operation=listBatches`),
  ];
};

interface Script {
  readonly steps: readonly Step[];
  /** The replies to a session that is alone. */
  readonly texts: readonly string[];
}

const begin = (session: string): Step => ({ method: 'PUT', path: `${admin}/sessions/${session}`, body: {} });

/** Plays all scripts in a server that nobody else uses. */
export const playAlone = async (url: string, headers: Record<string, string>): Promise<Script[]> => {
  const base = `${url}/sessions/alone`;
  await send(base, begin('alone'), headers);
  const walk = await walkSteps(base, headers);
  return Promise.all(
    Array.from({ length: scriptCount }, async (_, number) => {
      const own = `${url}/sessions/alone-${number}`;
      await send(own, begin(`alone-${number}`), headers);
      const steps = [...walk, ...stepsOf(number)];
      const texts = [];
      for (const step of steps) texts.push((await send(own, step, headers)).text);
      return { steps, texts };
    }),
  );
};

const isHeld = ({ text }: Answer): boolean =>
  text.startsWith('503') && text.includes('cannot be answered here now');
const isLost = ({ text }: Answer): boolean => text.startsWith('410') && text.includes('is lost: ');

/** What became of the sessions. */
export interface Load {
  /** What is going on, for the reports. */
  phase: string;
  /** Set once a replica was killed: then a session may be lost, and a call of a lost one may fail. */
  mayLose: boolean;
  /** What no client should have seen. */
  readonly wrong: string[];
  readonly lost: Set<string>;
  calls: number;
  /** Scripts that were played to their end. */
  scripts: number;
  /** Calls that were refused since their session was on its way, and sent again. */
  held: number;
  /** The longest time for which calls of one session were refused, in milliseconds. */
  longestHeld: number;
  /** Ends the load, once each session has finished its call. */
  readonly end: () => Promise<void>;
}

/** Starts the sessions. They go on until `end`. */
export const startLoad = (
  url: string,
  scripts: readonly Script[],
  sessions: number,
  headers: Record<string, string>,
): Load => {
  let isOver = false;

  const ask = async (base: string, step: Step): Promise<Answer> => {
    const start = performance.now();
    for (;;) {
      const answer = await send(base, step, headers);
      load.calls += 1;
      if (!isHeld(answer)) return answer;
      load.held += 1;
      load.longestHeld = Math.max(load.longestHeld, performance.now() - start);
      await sleep(1000); // its retry-after
    }
  };

  /** Whether a session is lost. Until the proxy has noticed the kill, a second call may fail like the first. */
  const isGone = async (base: string): Promise<boolean> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(base, get(`${admin}/clock`));
      if (answer.text !== 'failed' || tries === 5) return isLost(answer);
      await sleep(200);
    }
  };

  const play = async (session: string, { steps, texts }: Script): Promise<void> => {
    const base = `${url}/sessions/${session}`;
    const { world, text } = await ask(base, begin(session));
    if (!text.startsWith('204')) {
      if (load.mayLose && (await isGone(base))) load.lost.add(session);
      else load.wrong.push(`${load.phase}: ${session} does not begin: ${text}`);
      return;
    }
    for (const [at, step] of steps.entries()) {
      await sleep(pause);
      if (isOver) return;
      const phase = load.phase;
      const answer = await ask(base, step);
      if (answer.text === texts[at] && (answer.world ?? world) === world) continue;
      if (load.mayLose && (isLost(answer) || (await isGone(base)))) {
        load.lost.add(session);
        return;
      }
      load.wrong.push(
        `${phase}: ${session}, step ${at} ${JSON.stringify(step)}\n  expected ${texts[at]}\n  but was  ${answer.text}, ${answer.world} in place of ${world}`,
      );
      return;
    }
    load.scripts += 1;
  };

  const work = async (number: number): Promise<void> => {
    for (let round = 0; !isOver; round += 1) {
      const script = scripts[(number + round) % scripts.length];
      if (script !== undefined) await play(`load-${number}`, script);
    }
  };
  const load: Load = {
    phase: 'start',
    mayLose: false,
    wrong: [],
    lost: new Set(),
    calls: 0,
    scripts: 0,
    held: 0,
    longestHeld: 0,
    end: async () => {
      isOver = true;
      await working;
    },
  };
  const working = Promise.all(Array.from({ length: sessions }, (_, number) => work(number)));
  return load;
};

/** Between two calls of a session, in milliseconds: the machine shall have time for the replicas, too. */
const pause = 80;

// Sessions that each play a script over and over, and compare every reply with that of a server in which they are alone.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Step, send, stepsOf, toCreate } from '../bench/soak-scripts.js';

const admin = '/__admin';
const get = (path: string): Step => ({ method: 'GET', path });

/** Pages, and what the journal says of them. Then a script of the soak: faults, moves of the clock, records, saved states. */
const toSteps = (number: number): readonly Step[] => [
  get('/v1/batches?limit=7'),
  { method: 'POST', path: `${admin}/requests/walk`, body: { operation: 'listBatches' } },
  get(`${admin}/requests/count?operation=listBatches`),
  ...stepsOf(number),
];

type Headers = Record<string, string>;

/** Returns the replies to so many scripts, in a server that nobody else uses. */
export const playAlone = (url: string, headers: Headers, count: number): Promise<readonly string[][]> =>
  Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const base = `${url}/sessions/alone-${number}`;
      await send(base, toCreate(`alone-${number}`), headers);
      const texts = [];
      for (const step of toSteps(number)) texts.push((await send(base, step, headers)).text);
      return texts;
    }),
  );

/** What became of the sessions. */
export interface Load {
  /** What differs from the replies to a session that is alone. */
  readonly wrong: string[];
  calls: number;
  /** Scripts that were played to their end. */
  scripts: number;
  /** Calls that ended without a reply since their replica closed the connection before it read them. */
  unread: number;
  /** Ends the load, once each session has finished its call. */
  readonly end: () => Promise<void>;
}

/** Starts the sessions. They play until `end`. */
export const startLoad = (
  url: string,
  scripts: readonly string[][],
  sessions: number,
  headers: Headers,
): Load => {
  let isOver = false;

  /** If a call that ends without a reply had had an effect, the reply to the next one, or to a later step, would differ. */
  const call = async (base: string, step: Step, expected?: string): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      load.calls += 1;
      const answer = await send(base, step, headers);
      if (answer.text !== 'failed' || expected === 'failed' || tries === 5) return answer;
      load.unread += 1;
      await sleep(pause);
    }
  };

  const play = async (session: string, number: number): Promise<void> => {
    const base = `${url}/sessions/${session}`;
    const { world } = await call(base, toCreate(session));
    for (const [at, step] of toSteps(number).entries()) {
      await sleep(pause);
      if (isOver) return;
      const expected = scripts[number]?.[at];
      const answer = await call(base, step, expected);
      if (answer.text === expected && (answer.world ?? world) === world) continue;
      load.wrong.push(
        `${session}, step ${at} ${JSON.stringify(step)}\n  expected ${expected}\n  but was  ${answer.text}, ${answer.world} in place of ${world}`,
      );
      return;
    }
    load.scripts += 1;
  };
  const work = async (number: number): Promise<void> => {
    for (let round = 0; !isOver; round += 1) await play(`load-${number}`, (number + round) % scripts.length);
  };
  const load: Load = {
    wrong: [],
    calls: 0,
    scripts: 0,
    unread: 0,
    end: async () => {
      isOver = true;
      await working;
    },
  };
  const working = Promise.all(Array.from({ length: sessions }, (_, number) => work(number)));
  return load;
};

/** Between two calls of a session, in milliseconds: the replicas need time of the machine, too. */
const pause = 80;

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUntouched, toStoredSession } from '../../control/session-store.ts';
import type { Sessions } from '../../control/sessions.ts';
import { GatewayError } from '../../protocol/errors.ts';
import { defaultSession } from '../../protocol/session-name.ts';
import { hasBody } from '../../transports/node-http.ts';
import { messageOf } from '../../util/message-of.ts';
import { readStopwatch } from '../../util/stopwatch.ts';
import { isProbe } from '../probes.ts';
import { type Report, StateDir } from './state-dir.ts';

/** How often a server looks whether another one asks for its sessions, in milliseconds. */
const lookEvery = 200;

/** How long a server that stops waits for the calls under way, in milliseconds. */
const longestDrain = 10_000;

/** How often a server that stops looks whether it is still called, in milliseconds. */
const farewellLook = 50;

/**
 * After how many looks without a call a server stops if others share its directory: 2.5 s. A proxy that asks every two seconds
 * whether it is ready has then sent its calls elsewhere, so none waits unread when it closes.
 */
const quietAfter = 50;

/** After how many looks it stops in any case: 10 s. */
const longestFarewell = 200;

type Kept = Pick<Sessions, 'has' | 'names' | 'resume' | 'get' | 'isBusy' | 'handOn'>;

/** The sessions of a server in its state directory. */
export interface KeptState {
  /** Its `isClosing` says whether the server is stopping. */
  readonly store: StateDir;
  /** Goes on with the stored default session, and hands sessions on from now on. */
  readonly begin: (sessions: Kept) => void;
  /** Call this before each answer. */
  readonly beforeAnswer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Goes on until calls come no more, if another server may get them. Call this first when the server stops. */
  readonly sayFarewell: () => Promise<void>;
  /** Stores the named sessions, each when its calls have ended, but after ten seconds in any case. It takes no more sessions. */
  readonly drain: () => Promise<void>;
  /** Stores the default session, when no more calls can come. */
  readonly end: () => Promise<void>;
}

/** @throws Error if the directory cannot be used */
export const keepState = (path: string, version: string, report: Report): KeptState => {
  const reportOnce = createReportOnce(report);
  let sessions: Kept | undefined;
  let defaultName = '';
  let hasEnded = false;
  let isStopping = false;
  let wasCalled = false;
  /** The requests whose bodies are under way: any of them may be for any session. */
  const receiving = new Set<IncomingMessage>();
  const named = (): string[] => sessions?.names().filter((name) => name !== defaultSession) ?? [];

  /** Another server found this one dead, so its sessions may be somewhere else by now. */
  const onDead = (): void => {
    report('Another server found this one dead: its sessions are lost. Was it stopped for more than 10 s?');
    for (const name of named()) sessions?.handOn(name);
    if (!store.isClosing) defaultName = store.holdDefault();
  };
  const store = open(path, version, reportOnce, onDead);

  /** Returns false if the session could not be stored. It then stays here, unless another server holds it. */
  const handOn = async (name: string): Promise<boolean> => {
    tryTo('use', () => store.servers.beatIfLate()); // if this server was found dead, the session is not here any more
    const session = sessions?.get(name);
    if (session === undefined) return true;
    const stored = toStoredSession(session);
    sessions?.handOn(name); // until it is stored, calls to it get 503
    try {
      await store.put(stored);
      return true;
    } catch (error) {
      const isElsewhere = error instanceof GatewayError;
      if (!isElsewhere) sessions?.resume(stored);
      reportOnce(
        isElsewhere
          ? `The session "${name}" is lost here: another server holds it.`
          : `Failed to store the session "${name}": ${messageOf(error)}.`,
      );
      return false;
    }
  };

  const tryTo = (what: string, act: () => void): void => {
    try {
      act();
    } catch (error) {
      reportOnce(`Failed to ${what} the state directory: ${messageOf(error)}.`);
    }
  };
  const handOnWanted = (): void => {
    for (const name of store.wanted()) if (sessions?.has(name) && !sessions.isBusy(name)) void handOn(name);
  };
  const stopLooking = store.servers.every(() => tryTo('use', () => store.servers.look()));
  store
    .sweep()
    .catch((error: unknown) => reportOnce(`Failed to sweep the state directory: ${messageOf(error)}.`));
  const looking = setInterval(() => tryTo('read', handOnWanted), lookEvery);
  looking.unref();

  return {
    store,
    begin: (given) => {
      sessions = given;
      const { name, stored } = store.takeDefault();
      defaultName = name;
      if (stored !== undefined) given.resume(stored);
    },
    beforeAnswer: (request, response) => {
      if (!hasEnded) tryTo('use', () => store.servers.beatIfLate());
      wasCalled ||= !isProbe(request);
      if (isStopping && request.httpVersionMajor === 1) response.setHeader('connection', 'close');
      if (!hasBody(request)) return;
      receiving.add(request);
      request.once('close', () => receiving.delete(request));
    },
    sayFarewell: async () => {
      isStopping = true;
      let isShared = false;
      if (!hasEnded)
        tryTo('read', () => {
          isShared = store.servers.hasOthers();
        });
      if (!isShared) return;
      // Looks, not times: a server that stood still has read no call meanwhile, although some may wait.
      let quietLooks = 0;
      for (let looks = 0; looks < longestFarewell && quietLooks < quietAfter; looks += 1) {
        wasCalled = false;
        await new Promise((resolve) => setTimeout(resolve, farewellLook));
        quietLooks = wasCalled ? 0 : quietLooks + 1;
      }
    },
    drain: async () => {
      if (hasEnded) return;
      store.isClosing = true;
      const start = readStopwatch();
      const isLate = (): boolean => readStopwatch() - start > longestDrain;
      const failed = new Set<string>();
      for (;;) {
        const left = named().filter((name) => !failed.has(name));
        const isReady = (name: string): boolean =>
          isLate() || (receiving.size === 0 && sessions?.isBusy(name) === false);
        const ready = left.filter(isReady);
        // Some at a time: writing one takes as long as the disk does, and the server must beat.
        const some = ready.slice(0, 16);
        const isStored = await Promise.all(some.map(handOn));
        for (const [at, name] of some.entries()) if (!isStored[at]) failed.add(name);
        tryTo('use', () => store.servers.beatIfLate());
        if (left.length === some.length) return;
        if (some.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    end: async () => {
      if (hasEnded) return;
      hasEnded = true;
      store.isClosing = true;
      clearInterval(looking);
      stopLooking();
      const session = sessions?.get(defaultSession);
      try {
        if (session === undefined || isUntouched(session)) store.release(defaultName);
        else await store.put(toStoredSession(session), defaultName);
      } catch (error) {
        reportOnce(`Failed to store the default session: ${messageOf(error)}.`);
      }
      tryTo('use', () => store.servers.end());
    },
  };
};

const open = (...args: ConstructorParameters<typeof StateDir>): StateDir => {
  try {
    return new StateDir(...args);
  } catch (error) {
    throw new Error(
      `Failed to use the state directory "${args[0]}": ${messageOf(error)}. Choose a directory that can be written.`,
    );
  }
};

/** A full disk is the same for all sessions, and for each second. */
const createReportOnce = (report: Report): Report => {
  const reported = new Set<string>();
  return (message) => {
    if (reported.has(message)) return;
    if (reported.size >= 10_000) reported.clear(); // a bound of its memory
    reported.add(message);
    report(message);
  };
};

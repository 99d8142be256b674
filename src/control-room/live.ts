import { notifications } from '@mantine/notifications';
import { ControlError } from '../core/protocol/errors.ts';
import { wait } from '../core/util/wait.ts';
import { LostWorldError } from '../service/client/connect.ts';
import type { ServerEvent } from '../service/client/event-stream.ts';
import { notify } from './act.tsx';
import { control, keepToken, live, reconnect, refresh, session } from './connection.ts';
import { addEvent, dropArrived, forgetRequests, journal, readRequests, showArrived } from './journal.ts';

/** Listens to the server. */
export const start = (): void => {
  document.addEventListener('visibilitychange', followWhileVisible);
  followWhileVisible();
};

let following = new AbortController();

/** A browser has six connections to a host for all its tabs, so a hidden tab has no stream. It catches up when it is shown. */
const followWhileVisible = (): void => {
  following.abort();
  following = new AbortController();
  if (document.visibilityState === 'visible') void follow(following.signal);
};

const follow = async (signal: AbortSignal): Promise<void> => {
  for (let pause = 500; !signal.aborted; pause = Math.min(pause * 2, 5000)) {
    try {
      for await (const event of control.withSignal(signal).events()) {
        pause = 250; // the connection works: after it is lost, the first wait is short
        if (event.type !== 'open') onEvent(event);
        else {
          journal.set({ size: event.journal });
          void catchUp().catch(() => {}); // the stream then ends, too
        }
      }
    } catch (error) {
      const status = error instanceof ControlError ? error.status : 0;
      if (status === 410) loseWorld();
      if (status === 401 || status === 410) {
        live.set({ connection: status === 401 ? 'locked' : 'open' });
        return; // until the user enters the token, or creates the session again
      }
    }
    if (signal.aborted) return;
    live.set({ connection: 'lost' });
    await wait(pause, { signal });
  }
};

/** Messages for a world that somebody replaced on purpose. */
const replacements = {
  made: 'This session was created again.',
  reloaded: 'The scenario files were reloaded. All sessions were reset to their start.',
};

const onEvent = (event: Exclude<ServerEvent, { type: 'open' }>): void => {
  if (live.get().isLost && event.type !== 'world') return; // the event is from another world
  if (event.type === 'request' || event.type === 'settled') addEvent(event);
  else if (event.type === 'change') {
    // The commands that empty the journal: `requests.clear`, and those that restart the world by `replaceState`.
    if (/^(?:reset|scenario\.load|state\.(?:restore|import)|requests\.clear)/.test(event.what))
      forgetRequests();
  } else if (event.what === 'deleted' || event.what === 'removed') loseWorld();
  else if (event.world === undefined || event.world !== control.world) {
    // A world that this control room created itself is known already.
    notify(replacements[event.what]);
    reconnect();
    live.set({ isLost: false });
    void catchUp().catch(() => {}); // the next event or connection catches up
  }
  flushSoon();
};

let isFlushing = false;

/** Shows new requests and changes, at most five times a second. */
const flushSoon = (): void => {
  if (isFlushing) return;
  isFlushing = true;
  setTimeout(() => {
    isFlushing = false;
    showArrived();
    refresh();
  }, 200);
};

/** Loads what may have changed before the stream began. */
const catchUp = async (): Promise<void> => {
  // Such as errors of calls while the server did not answer. What fails from now on stays.
  if (live.get().connection !== 'open') notifications.clean();
  try {
    await control.clock.now(); // the first call finds the world, so that no later call creates another one
    await readRequests();
  } catch (error) {
    if (!handleLoss(error)) throw error;
  }
  live.set({ connection: 'open' });
  refresh();
};

/** Marks the world as lost. What is shown then stays. */
const loseWorld = (): void => {
  dropArrived(); // they may be of another world
  live.set({ isLost: true });
};

/** Marks the world as lost if an error says so. */
export const handleLoss = (error: unknown): boolean => {
  if (!(error instanceof LostWorldError)) return false;
  loseWorld();
  return true;
};

/** Continues with the present world of the session, which is created again if it no longer exists. */
export const continueHere = async (): Promise<void> => {
  reconnect();
  if (!(await control.sessions.list()).includes(session)) await control.sessions.create(session);
  live.set({ isLost: false });
  notifications.clean(); // such as errors of the lost world
  await catchUp();
  followWhileVisible(); // the stream of a removed session has ended
};

/** Sets the token and connects with it. @throws Error if the server refuses it */
export const unlock = async (token: string): Promise<void> => {
  const { ok, status } = await control.fetch('health', { headers: { authorization: `Bearer ${token}` } });
  if (status === 401) throw new Error('The server refuses this token.');
  // 412: the token is right, but the world is lost, which the next call reports.
  if (!ok && status !== 412) throw new Error(`The server returned ${status}.`);
  keepToken(token);
  live.set({ connection: 'connecting' });
  followWhileVisible();
};

// If the journal is off, there are no events for requests, although they change records and faults.
setInterval(() => {
  if (journal.get().size === 0 && document.visibilityState === 'visible') refresh();
}, 2000);

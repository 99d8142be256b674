import { notify } from '../messages.ts';
import { formatTime } from '../parts.tsx';
import { control } from '../session.ts';
import { texts } from '../texts.ts';

/** Moves the clock to a time, in seconds since 1970, and says so. The pressed button may then be removed. */
export const goTo = async (at: number): Promise<void> => {
  const { now } = await control.clock.set(at);
  notify(texts.clock.itIs(formatTime(now)));
};

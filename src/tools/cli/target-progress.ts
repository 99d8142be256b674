// The line that shows how far `verify` and `capture` are, and how Ctrl-C ends them.
import { readStopwatch } from '../../core/util/stopwatch.ts';

/** The shortest time for which a text is shown, in milliseconds. */
const shortestTime = 100;

/** Creates a line on the terminal that is rewritten, at most ten times a second; it shows nothing if the output is no terminal. */
export const createProgressLine = (
  stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'> = process.stderr,
) => {
  const start = readStopwatch();
  let last: number | undefined;
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  const show = (text: string): void => {
    last = readStopwatch();
    write(`${text}, ${((last - start) / 1000).toFixed(0)} s`);
  };
  return {
    show: (text: string): void => {
      if (last === undefined || readStopwatch() - last >= shortestTime) show(text);
    },
    /** Shows a wait for which the gateway asked, at once. The line stays until the wait is over. */
    showWait: (milliseconds: number): void => {
      if (milliseconds >= shortestTime) show(`waiting ${milliseconds / 1000} s, as the gateway asks`);
    },
    /** Clears the line, so that it does not remain between the results. */
    end: (): void => {
      if (last !== undefined) write('');
    },
  };
};

/** Runs until Ctrl-C aborts the signal; a second Ctrl-C ends the process as usual. */
export const untilInterrupted = async <Value>(run: (signal: AbortSignal) => Promise<Value>) => {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.once('SIGINT', stop);
  try {
    return await run(abort.signal);
  } finally {
    process.off('SIGINT', stop);
  }
};

import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgressLine, untilInterrupted } from './target-progress.ts';

/** A line on a stream of its own, and what was written there. Time passes only when a test says so. */
const openLine = (isTTY: boolean, columns = 80) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  return { line: createProgressLine({ write, isTTY, columns }), written };
};

const again = '\r\u001b[K';

test('on a terminal, one line is rewritten with the seconds, and removed at the end', () => {
  const { line, written } = openLine(true);
  line.show('0 calls, batches-success');
  vi.advanceTimersByTime(2000);
  line.show('40 calls, batches-walk');
  line.end();
  expect(written).toEqual([
    `${again}0 calls, batches-success, 0 s`,
    `${again}40 calls, batches-walk, 2 s`,
    again,
  ]);
});

test('it is rewritten ten times a second at most, but a wait is shown at once', () => {
  const { line, written } = openLine(true);
  for (let calls = 0; calls < 300; calls += 1) {
    line.show(`${calls} calls`);
    vi.advanceTimersByTime(1);
  }
  line.showWait(5000);
  line.showWait(1); // over before anyone could read it
  expect(written).toEqual([
    ...[0, 100, 200].map((calls) => `${again}${calls} calls, 0 s`),
    `${again}waiting 5 s, as the gateway asks, 0 s`,
  ]);
});

test('it is no wider than the terminal', () => {
  const { line, written } = openLine(true, 30);
  line.show('x'.repeat(100));
  expect(written).toEqual([again + 'x'.repeat(29)]);
});

test('elsewhere nothing is written', () => {
  const { line, written } = openLine(false);
  line.show('0 calls');
  line.showWait(5000);
  line.end();
  expect(written).toEqual([]);
});

test('Ctrl-C ends a run, and afterwards the process again', async () => {
  const before = process.listenerCount('SIGINT');
  const during = await untilInterrupted(async () => process.listenerCount('SIGINT'));
  expect([during, process.listenerCount('SIGINT')]).toEqual([before + 1, before]);
});

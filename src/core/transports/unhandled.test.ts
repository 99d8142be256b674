import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { explainUnhandled, type OnUnhandledRequest } from './unhandled.ts';

test.each<[OnUnhandledRequest[], number]>([
  [['warn'], 1],
  [['warn', 'error'], 1],
  [['warn', 'bypass'], 0],
  [['bypass', 'error'], 1],
])('interception that starts with %j explains a request %i times', (strategies, times) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const events = new EventEmitter();
  const explain = explainUnhandled(events, () => 'it is no call');
  for (const strategy of strategies) explain(strategy);
  events.emit('request:unhandled', { request: new Request('http://other.test/v1/batches') });
  expect(warn.mock.calls).toEqual(Array(times).fill(['gateway-mock: it is no call']));
});

import { expect, onTestFinished, test, vi } from 'vitest';
import type { RecordedRequest } from '../core/journal/recorded-request.ts';

test('the list has the latest requests, as many as the journal keeps, each once', async () => {
  vi.stubGlobal('location', { href: 'http://127.0.0.1:4010/__admin/' }); // where the page is
  onTestFinished(() => void vi.unstubAllGlobals());
  const { addEvent, journal, showArrived } = await import('./journal.ts');
  journal.set({ size: 3, requests: [] });
  const arrive = (...ordinals: number[]): number[] => {
    for (const ordinal of ordinals) addEvent({ type: 'request', request: { ordinal } as RecordedRequest }); // it reads no more of them
    showArrived();
    return journal.get().requests.map(({ ordinal }) => ordinal);
  };
  expect(arrive(1, 2)).toEqual([1, 2]);
  expect(arrive(2, 3, 4, 5)).toEqual([3, 4, 5]);
});

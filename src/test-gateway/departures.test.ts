import { channel } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { watchDepartures } from './departures.ts';

test('requests that begin are reported without port and query, until that is ended', () => {
  const seen: string[] = [];
  const stop = watchDepartures(({ text }) => seen.push(text));
  const begin = (): void => {
    const url = { origin: 'https://other.test:8443', path: '/today?key=1' };
    channel('undici:request:create').publish({ request: { method: 'get', ...url } });
    const ofHttp = { method: 'POST', protocol: 'http:', host: '::1', path: '/tomorrow' };
    channel('http.client.request.start').publish({ request: ofHttp });
  };
  begin();
  stop();
  begin();
  expect(seen).toEqual(['GET https://other.test/today', 'POST http://[::1]/tomorrow']);
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { followEvents, type ServerEvent } from './event-stream.ts';

test('a stream is followed as long as the server sends something, and ends after 40 seconds of silence', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const server = writable.getWriter();
  const send = (text: string) => server.write(new TextEncoder().encode(text));
  const fetch = async (_url: unknown, init?: RequestInit) => {
    init?.signal?.addEventListener('abort', () => void server.abort(init.signal?.reason));
    return new Response(readable);
  };
  onTestFinished(() => void vi.useRealTimers());

  const heard: ServerEvent[] = [];
  const following = (async () => {
    for await (const event of followEvents('http://127.0.0.1:4010/__admin/events', {}, undefined, fetch))
      heard.push(event);
  })();
  const ended = expect(following).rejects.toThrow('it is silent');
  for (let beats = 0; beats < 3; beats += 1) {
    await vi.advanceTimersByTimeAsync(30_000);
    await send(': still here\n\n');
  }
  await send('event: change\ndata: {"wh');
  await send('at":"reset"}\n\n');
  await vi.advanceTimersByTimeAsync(39_999);
  expect(heard).toEqual([{ type: 'change', what: 'reset' }]);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
});

import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WorldEvent, WorldEvents } from '../control/world-events.ts';
import { createEventStreams } from './events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A response that keeps what is written to it. It has the parts of Node's that event streams use. */
const openResponse = () => {
  const stream = Object.assign(new PassThrough(), {
    status: 0,
    text: '',
    req: { socket: new PassThrough() },
    writeHead: (status: number) => {
      stream.status = status;
    },
  });
  stream.on('data', (bytes: Buffer) => {
    stream.text += bytes;
  });
  return stream;
};

const openStreams = () => {
  const events = new WorldEvents();
  const streamEvents = createEventStreams({ events, journalSize: 1000 });
  return {
    open: (session: string) => {
      const response = openResponse();
      streamEvents(session, response as unknown as ServerResponse, {}); // see above
      return response;
    },
    emit: (session: string, event: WorldEvent) => events.emit(session, event),
  };
};

test('each event is serialised once for all streams, and each stream is written once for all events of a while', async () => {
  const { open, emit } = openStreams();
  const responses = [open('mine'), open('mine'), open('other')];
  await vi.advanceTimersByTimeAsync(200);
  const writes = responses.map((response) => vi.spyOn(response, 'write'));
  const toJSON = vi.fn(() => 'clock.advance');
  for (let at = 0; at < 3; at += 1) emit('mine', { type: 'change', what: { toJSON } as unknown as string }); // counts
  await vi.advanceTimersByTimeAsync(200);
  expect(toJSON).toHaveBeenCalledTimes(3);
  expect(writes.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
  const event = 'event: change\ndata: {"session":"mine","what":"clock.advance"}\n\n';
  expect(responses.map(({ text }) => text.split(event).length - 1)).toEqual([3, 3, 0]);
});

test('a stream gets nothing that happened before it was opened', async () => {
  const { open, emit } = openStreams();
  const first = open('mine');
  emit('mine', { type: 'change', what: 'reset' });
  const second = open('mine');
  await vi.advanceTimersByTimeAsync(200);
  expect([first.text, second.text].map((text) => text.includes('reset'))).toEqual([true, false]);
});

test('what happens just before the server closes is sent', async () => {
  const { open, emit } = openStreams();
  const response = open('mine');
  emit('mine', { type: 'change', what: 'reset' });
  emit('mine', { type: 'closed' });
  await vi.advanceTimersByTimeAsync(200);
  expect(response.text).toContain('reset');
});

test('a silent stream gets a comment every 15 seconds, until it is closed', async () => {
  const { open } = openStreams();
  const responses = [open('mine'), open('mine')];
  await vi.advanceTimersByTimeAsync(45_000);
  for (const [closed, response] of responses.entries()) {
    expect([response.text.split(': still here\n\n').length, vi.getTimerCount()]).toEqual([4, 2 - closed]);
    response.destroy();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('one stream too many is refused until another one is closed', async () => {
  const { open } = openStreams();
  const responses = Array.from({ length: 100 }, (_, index) => open(`session-${index}`));
  expect(open('mine').status).toBe(503);
  responses[0]?.destroy();
  await vi.advanceTimersByTimeAsync(0);
  expect([open('mine').status, open('mine').status]).toEqual([200, 503]);
});

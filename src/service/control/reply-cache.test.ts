import { expect, test } from 'vitest';
import type { Call } from '../../core/protocol/call.ts';
import { loadScenario } from '../../core/scenario/load.ts';
import { ReplyCache } from './reply-cache.ts';
import { createState } from './world-state.ts';

/** A world, and a function that returns how many replies were made until then, the reply to this call included. */
const open = (text = 'x') => {
  const { world } = createState(loadScenario({ batches: 1 }));
  const replies = new ReplyCache();
  let made = 0;
  const send = (query: string, body = '', type = 'application/json', encoding?: string): number => {
    const call: Call = {
      method: 'GET',
      path: '/v1/batches',
      query,
      header: (name) => ({ 'content-type': type, 'content-encoding': encoding })[name],
      headers: () => ({}),
      body: new TextEncoder().encode(body),
    };
    const make = () => {
      made += 1;
      return { status: 200, headers: {}, body: text };
    };
    expect(replies.getOrMake(call, world, world.assumptions.forAnswer(), make).body).toBe(text);
    return made;
  };
  return { world, send };
};

test('a reply is kept when it is asked for the second time, until a record or the time changes', async () => {
  const { world, send } = open();
  expect([send(''), send(''), send(''), send('limit=1'), send('')]).toEqual([1, 2, 2, 3, 3]);
  world.clock.set(world.clock.now() + 1);
  expect([send(''), send(''), send('')]).toEqual([4, 5, 5]);
});

test('a call is forgotten after a hundred others that were made once', () => {
  const { send } = open();
  send('');
  for (let other = 1; other <= 100; other += 1) send(`limit=${other}`);
  expect([send(''), send(''), send('')]).toEqual([102, 103, 103]);
});

test('bodies, their types and encodings are part of the key, and a long body is not kept', () => {
  const { send } = open();
  send('', 'a');
  expect([send('', 'a'), send('', 'b'), send('', 'a', 'text/plain'), send('', 'a')]).toEqual([2, 3, 4, 4]);
  expect(send('', 'a', undefined, 'gzip')).toBe(5);
  const long = 'x'.repeat(4001);
  expect([send('', long), send('', long), send('', long)]).toEqual([6, 7, 8]);
});

test('beyond the maximum size, the oldest are dropped; a reply that is too large is not kept, and drops none', () => {
  const { send } = open('x'.repeat(60_000));
  for (const query of ['a', 'b', 'c']) send(query);
  expect([send('a'), send('b'), send('b'), send('a')]).toEqual([4, 5, 5, 5]);
  expect([send('c'), send('b'), send('a')]).toEqual([6, 6, 7]);
  const large = open('x'.repeat(200_000));
  expect([large.send('a'), large.send('a'), large.send('a')]).toEqual([1, 2, 3]);
});

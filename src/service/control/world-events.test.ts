import { expect, test, vi } from 'vitest';
import { entryOf } from '../../../test/support/journal-entry.ts';
import { Journal } from '../../core/journal/journal.ts';
import { lostReply } from '../../core/protocol/call.ts';
import { WorldEvents } from './world-events.ts';

test('the events of a request do not make it readable, which takes longer than the call, unless a subscriber reads it', () => {
  const events = new WorldEvents();
  const journal = new Journal(10);
  events.follow('default', journal);
  const types: string[] = [];
  events.subscribe((_session, { type }) => types.push(type));
  const entry = entryOf();
  const read = vi.spyOn(entry, 'request', 'get');
  journal.add(entry);
  journal.settle(entry, lostReply, 1);
  expect(types).toEqual(['request', 'settled']);
  expect(read).not.toHaveBeenCalled();
});

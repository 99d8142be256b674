import { expect, test } from 'vitest';
import * as z from 'zod';
import { createScenarioSchema } from './scenario.ts';

const schema = createScenarioSchema([{ name: 'notes', schema: z.int().default(3) }], ['listRuns']);

test('the defaults of a scenario', () => {
  expect(schema.parse({})).toMatchObject({
    seed: 42,
    clock: { start: '2026-01-15T12:00:00Z' },
    requests: 0,
    made: 0,
    keys: {},
    assumptions: {},
    notes: 3,
  });
});

test.each([
  { seed: 0 },
  { requests: 0, made: 0 },
  { clock: { start: '1970-01-01T00:00:00Z', now: '9999-12-31T23:59:59.999Z' } },
  { keys: { valid: [], expired: ['a'], limited: { b: ['listRuns'] }, virtual: ['c'] } },
  { assumptions: { 'unknown-thread': 'empty-list' } },
  { description: 'd', notes: 7 },
])('accepts %j', (given) => {
  expect(schema.parse(given)).toMatchObject(given);
});

test.each([
  [{ seed: -1 }, 'seed'],
  [{ seed: 1.5 }, 'seed'],
  [{ requests: -1 }, 'requests'],
  [{ made: -1 }, 'made'],
  [{ made: 0.5 }, 'made'],
  [{ clock: { start: '2026-01-15' } }, 'clock.start'],
  [{ clock: { start: '2026-01-15T12:00:00+01:00' } }, 'clock.start'],
  [{ clock: { start: '0000-01-01T00:00:00Z' } }, 'clock.start'],
  [{ clock: { now: '1969-12-31T23:59:59Z' } }, 'clock.now'],
  [{ clock: { more: 1 } }, 'clock'],
  [{ keys: { more: [] } }, 'keys'],
  [{ keys: { valid: 'a' } }, 'keys.valid'],
  [{ keys: { expired: [1] } }, 'keys.expired.0'],
  [{ keys: { limited: { a: 'listRuns' } } }, 'keys.limited.a'],
  [{ keys: { virtual: null } }, 'keys.virtual'],
  [{ assumptions: { 'unknown-thread': '500' } }, 'assumptions.unknown-thread'],
  [{ assumptions: { more: '400' } }, 'assumptions'],
  [{ notes: 'x' }, 'notes'],
  [{ more: 1 }, ''],
])('refuses %j at "%s"', (given, path) => {
  const issues = schema.safeParse(given).error?.issues ?? [];
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('messages about times say what is expected', () => {
  const messageOf = (start: string) => schema.safeParse({ clock: { start } }).error?.issues[0]?.message;
  expect(messageOf('soon')).toBe('not a date-time in UTC, such as 2026-01-15T12:00:00Z');
  expect(messageOf('1969-12-31T23:59:59Z')).toBe('not a time from 1970 to 9999');
});

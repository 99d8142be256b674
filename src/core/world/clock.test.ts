import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClock, parseDuration, parseTimestamp, toDateTime } from './clock.ts';
import { lastTimestamp } from './clock-limits.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Real time that stands still until it is moved. */
const stopWall = () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
};

describe('a clock', () => {
  test('that runs ends with the year 9999', () => {
    const wait = stopWall();
    const clock = createClock(lastTimestamp - 10, 4);
    wait(2);
    expect(clock.now()).toBe(lastTimestamp - 2);
    wait(1);
    expect(clock.now()).toBe(lastTimestamp);
    expect(toDateTime(clock.now())).toBe('9999-12-31T23:59:59.000Z');
    clock.run(0);
    expect([clock.now(), clock.speed()]).toEqual([lastTimestamp, 0]);
  });

  test("that runs does not follow the machine's clock", () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000_000 });
    const clock = createClock(100, 1);
    vi.setSystemTime(0); // back
    expect(clock.now()).toBe(100);
    vi.setSystemTime(9_000_000_000); // forward
    vi.advanceTimersByTime(1000);
    expect(clock.now()).toBe(101);
  });

  test('that is set or gets another speed goes on from there', () => {
    const wait = stopWall();
    const clock = createClock(100, 0.2);
    wait(5);
    clock.run(2.5);
    expect([clock.now(), clock.speed()]).toEqual([101, 2.5]);
    wait(2);
    clock.set(50);
    expect(clock.now()).toBe(50);
    wait(0.1236);
    expect(clock.now()).toBe(50.309);
    clock.run(0);
    clock.set(0.1 + 0.2);
    expect(clock.now()).toBe(0.3);
  });
});

describe('a span of time', () => {
  test.each<[number | string, number]>([
    [-1.5, -1.5],
    [1e-7, 1e-7],
    [' 10m\n', 600],
    ['1h30m', 5400],
    ['1.5s', 1.5],
    ['1m0.5s', 60.5],
  ])('%j is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBeCloseTo(seconds, 12);
  });

  test.each<number | string>([
    '',
    '-',
    '10',
    'm',
    '10 m',
    '10m ago',
    'in 10m',
    '--5m',
    '1-5m',
    '5w',
    '1.m',
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow(`Failed to read the duration "${text}": expected`);
  });
});

test('a very long duration is refused without a search in it, and cut in the message', () => {
  expect(() => parseDuration('1'.repeat(1_000_000))).toThrow(/^Failed to read the duration "1{200}…"/);
});

test.each<[number | string, number]>([
  [7.5, 7.5],
  ['1970-01-01T00:01:00Z', 60],
  ['1970-01-01T01:00:00+01:00', 0],
  ['1970-01-01T00:01:00', Number.NaN], // without a zone it would mean another time elsewhere
  ['1970-01-01', Number.NaN],
  ['60', Number.NaN],
])('the time %j is %d', (given, seconds) => {
  expect(parseTimestamp(given)).toBe(seconds);
});

test.each([100_001, -600_000])(
  'a bare number of %i seconds is taken for milliseconds, and refused',
  (number) => {
    expect(() => parseDuration(number)).toThrow(`did you mean milliseconds, "${number}ms"?`);
    expect(parseDuration(`${number}ms`)).toBeCloseTo(number / 1000, 9);
    expect(parseDuration(Math.sign(number) * 100_000)).toBe(Math.sign(number) * 100_000);
  },
);

test('a time is written with the millisecond that was read, which is no binary fraction', () => {
  expect(toDateTime(parseTimestamp('2038-03-31T09:08:31.344Z'))).toBe('2038-03-31T09:08:31.344Z');
});

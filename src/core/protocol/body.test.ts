import { describe, expect, test } from 'vitest';
import { parseBody } from './body.ts';
import type { Call } from './call.ts';

const encoder = new TextEncoder();

const parse = (body: Call['body'] | string, headers: Readonly<Record<string, string>> = {}) => {
  const header = (name: string) => headers[name];
  const bytes =
    typeof body === 'string' && body !== 'too-large' && body !== 'broken' ? encoder.encode(body) : body;
  return parseBody({
    method: 'POST',
    path: '/',
    query: '',
    header,
    headers: () => headers,
    body: bytes as Call['body'],
  });
};

/** The shortest body of so many levels: an object, and lists in it. */
const nest = (levels: number): string => `{"":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

test('a body nests 500 levels deep at the most', () => {
  expect(parse(nest(500))).toHaveProperty(['']);
  expect(() => parse(nest(501))).toThrow('The body is nested too deeply: at most 500 levels are allowed.');
  expect(() => parse(`{"a":${nest(500)}}`)).toThrow('The body is nested too deeply');
  expect(parse(`{"a":"${'['.repeat(2000)}"}`)).toHaveProperty('a');
});

describe('a body that cannot be read', () => {
  test.each<[body: string, why: string]>([
    ['too-large', 'The body is too large: at most'],
    ['broken', 'The body ended early.'],
    ['', 'The body is not valid JSON: it is empty.'],
    ['{"a":', `it starts with '{"a":'.`],
    [`  ${'x'.repeat(50)}`, `it starts with '${'x'.repeat(40)}'.`],
    ['null', 'The body must be a JSON object, but it is null.'],
    ['[1]', 'but it is an array.'],
  ])('%j is refused', (body, why) => {
    expect(() => parse(body)).toThrow(why);
  });

  test('is of broken UTF-8', () => {
    expect(() => parse(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
      'The body is not valid UTF-8.',
    );
  });
});

describe('the type of a body', () => {
  test.each([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': ' Application/JSON ; charset=UTF-8' },
    { 'content-type': 'application/json;charset="utf8"' },
    { 'content-type': 'application/vnd.api+json' },
    { 'content-encoding': '' },
    { 'content-encoding': 'Identity' },
  ])('may be %j', (headers) => {
    expect(parse('{"a":1}', headers)).toEqual({ a: 1 });
  });

  test.each<[headers: Readonly<Record<string, string>>, status: number, param: string]>([
    [{ 'content-type': '' }, 415, 'content-type'],
    [{ 'content-type': 'text/plain' }, 415, 'content-type'],
    [{ 'content-type': 'application/jsonl' }, 415, 'content-type'],
    [{ 'content-type': 'application/x json' }, 415, 'content-type'],
    [{ 'content-type': 'x-application/json' }, 415, 'content-type'],
    [{ 'content-type': 'application/json; charset=latin1' }, 400, 'content-type'],
    [{ 'content-type': 'application/json; charset=utf-88' }, 400, 'content-type'],
    [{ 'content-type': 'application/json; charset=xutf-8' }, 400, 'content-type'],
    [{ 'content-encoding': 'gzip' }, 400, 'content-encoding'],
  ])('may not be %j', (headers, status, param) => {
    expect(() => parse('{}', headers)).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining({ status, param }) }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { describeNearest } from './nearest-operation.ts';
import { matchPath, methodsAt, type Route } from './router.ts';

const operations: readonly Route[] = [
  { id: 'listBatches', method: 'GET', path: '/batches' },
  { id: 'listRuns', method: 'GET', path: '/threads/{thread_id}/runs' },
  { id: 'renderPrompt', method: 'POST', path: '/prompts/{promptId}/render' },
];

test.each<[path: string, id: string | undefined, params?: object]>([
  ['/batches', 'listBatches', {}],
  ['/threads/a/runs', 'listRuns', { thread_id: 'a' }],
  ['/threads/a%2Fb/runs', 'listRuns', { thread_id: 'a%2Fb' }],
  ['/prompts/{promptId}/render', 'renderPrompt', { promptId: '{promptId}' }],
  ['/batches/', undefined],
  ['/Batches', undefined],
  ['/threads//runs', undefined],
  ['/threads/a/runs/b', undefined],
])('the path %s leads to %s', (path, id, params) => {
  const match = matchPath(operations, path);
  expect(match?.operation.id).toBe(id);
  expect(match?.params).toEqual(params);
});

test('GET operations also serve HEAD, all serve OPTIONS, and several may share a path', () => {
  const methods = (...shared: Route['method'][]) =>
    methodsAt(
      shared.map((method) => ({ method, path: '/a/{id}' })),
      '/a/b',
    );
  expect(methods('GET')).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(methods('POST')).toEqual(['POST', 'OPTIONS']);
  expect(methods('GET', 'DELETE')).toEqual(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
  expect(methods()).toEqual([]);
});

describe('the nearest operation', () => {
  const batches = 'listBatches, GET /batches';
  const runs = 'listRuns, GET /threads/{thread_id}/runs';
  const render = 'renderPrompt, POST /prompts/{promptId}/render';

  test.each([
    ['/batches', batches, ''],
    ['/batches/', batches, ': it has no slash at the end'],
    ['/Batches', batches, ": segment 1 is 'Batches' where 'batches' was expected"],
    ['/batches/b', batches, ": it ends after segment 1, 'batches'"],
    ['/threads/a/runs/r', runs, ": it ends after segment 3, 'runs'"],
    ['/threads/a', runs, ": segment 3, 'runs', is missing"],
    ['/threads//runs', runs, ": segment 2 is '' where '{thread_id}' was expected"],
    ['/prompts/a/rendering', render, ": segment 3 is 'rendering' where 'render' was expected"],
    [`/${'x'.repeat(60)}`, batches, `: segment 1 is '${'x'.repeat(50)}' where 'batches' was expected`],
  ])('of %s is named with the difference', (path, nearest, differs) => {
    expect(describeNearest(operations, path)).toBe(`The nearest is ${nearest}${differs}.`);
  });

  test('is empty without operations', () => {
    expect(describeNearest([], '/batches')).toBe('');
  });

  test('is found quickly, however long the path', () => {
    expect(describeNearest(operations, `/batches${'/x'.repeat(100_000)}`)).toContain('The nearest is');
    expect(describeNearest(operations, `/${'batches'.repeat(100_000)}`)).toContain('The nearest is');
  });
});

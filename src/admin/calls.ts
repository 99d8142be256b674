/** The header by which a client knows that it is the admin API that answers. */
export const adminMark = 'x-mock-admin';

/** How many records one call lists at the most: a longer list is asked for page by page. */
export const maxRecords = 1000;

/**
 * Every call of the admin API that is a method of the control, by the name of that method: its line over HTTP, below
 * `/__admin`, with parameters in braces.
 */
export const calls = {
  'scenario.current': 'GET /scenario',
  'scenario.load': 'PUT /scenario',
  'scenario.list': 'GET /scenarios',
  reset: 'POST /reset',
  'clock.now': 'GET /clock',
  'clock.set': 'PUT /clock',
  'clock.advance': 'POST /clock/advance',
  'clock.run': 'POST /clock/run',
  'clock.freeze': 'POST /clock/freeze',
  'clock.next': 'POST /clock/next',
  'clock.upcoming': 'GET /clock/upcoming',
  'clock.timeline': 'GET /clock/timeline',
  'records.list': 'GET /records/{kind}',
  'records.create': 'POST /records/{kind}',
  'records.get': 'GET /records/{kind}/{id}',
  'records.update': 'PATCH /records/{kind}/{id}',
  'records.delete': 'DELETE /records/{kind}/{id}',
  'records.prompts.render': 'POST /records/prompts/{id}/render',
  'faults.list': 'GET /faults',
  'faults.add': 'POST /faults',
  'faults.clear': 'DELETE /faults',
  'faults.remove': 'DELETE /faults/{id}',
  'quotas.list': 'GET /quotas',
  'quotas.isEnforced': 'GET /quotas/enforced',
  'quotas.enforce': 'PUT /quotas/enforced',
  'quotas.lift': 'DELETE /quotas/enforced',
  'quotas.refill': 'POST /quotas/refill',
  'requests.list': 'GET /requests',
  'requests.get': 'GET /requests/{id}',
  'requests.count': 'GET /requests/count',
  'requests.wait': 'GET /requests/wait',
  'requests.walk': 'POST /requests/walk',
  'requests.clear': 'DELETE /requests',
  'state.export': 'GET /state',
  'state.changes': 'GET /state/changes',
  'state.import': 'PUT /state',
  'state.save': 'PUT /state/saved/{name}',
  'state.restore': 'POST /state/saved/{name}/restore',
  'sessions.list': 'GET /sessions',
  'sessions.create': 'PUT /sessions/{name}',
  'sessions.delete': 'DELETE /sessions/{name}',
  'assumptions.list': 'GET /assumptions',
} as const;

export type CallId = keyof typeof calls;

/** How a call looks over HTTP. */
export interface Line {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/__admin`, parameters in braces. */
  readonly path: string;
}

export const readCall = (id: CallId): Line => {
  const [method = '', path = ''] = calls[id].split(' ');
  return { method: method as Line['method'], path }; // each line above begins with one
};

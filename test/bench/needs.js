// The ratios that are printed, and what is enough where that is known.
import { fetchWays } from './in-process.js';
import { memoryNames } from './memory.js';
import { sessionNames } from './sessions.js';
import { starts } from './startup.js';
import { names } from './targets.js';

/** @type {import('./figures.js').Need[]} */
export const needs = [
  { what: 'page, over bare ready bytes', of: names.ours, over: names.bare },
  { what: 'page that was never asked for, over bare', of: names.fresh, over: names.bare, atLeast: 0.2 },
  // Both keep a core busy, so that the one with half the answers a second takes twice the CPU for each.
  {
    what: 'CPU of a page for the first time, over fastify',
    of: names.fastify,
    over: names.fresh,
    atMost: 1.2,
  },
  { what: 'render, over bare ready bytes', of: names.render, over: names.bareRender },
  { what: 'policy, over bare ready bytes', of: names.policy, over: names.barePolicy },
  { what: 'page of 100,000 runs, over that of 1,000', of: names.first, over: names.ours, atLeast: 0.95 },
  { what: 'deep page, over the first', of: names.deep, over: names.first, atLeast: 0.95 },
  { what: 'journal on, over off', of: names.ours, over: names.noJournal },
  {
    what: 'time of a fetch, over a one-line handler',
    of: fetchWays.ours,
    over: fetchWays.oneLine,
    atMost: 1.25,
  },
  { what: 'time of the command line, over bare', of: starts.cli, over: starts.bare },
  { what: 'time of the import, over msw/node', of: starts.gateway, over: starts.msw },
  { what: 'time of large, over default', of: starts.large, over: starts.cli, atMost: 4 },
  {
    what: 'time of the first call of a session, over a later one',
    of: sessionNames.first,
    over: sessionNames.later,
    atMost: 3,
  },
  { what: 'memory of a walk, over its JSON', of: memoryNames.kept, over: memoryNames.walked },
];

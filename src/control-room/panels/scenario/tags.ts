import type { ShippedScenario } from '../../../core/scenario/shipped-names.ts';

/** What the scenarios of the package are for. */
const tags: Readonly<Record<ShippedScenario, string>> = {
  default: 'basics',
  empty: 'basics',
  'one-page': 'paging',
  'many-pages': 'paging',
  'many-pages-one-less': 'paging',
  'many-pages-one-more': 'paging',
  'tied-timestamps': 'paging',
  'batch-failures': 'states',
  'every-batch-status': 'states',
  'every-run-status': 'states',
  'in-flight': 'time',
  live: 'time',
  training: 'time',
  'prompt-library': 'texts',
  unicode: 'texts',
  'locked-out': 'keys',
  'assistants-gone': 'states',
  'archived-policies': 'keys',
  'lenient-answers': 'assumptions',
  'strict-answers': 'assumptions',
  large: 'paging',
};

/** `own` for a scenario of the user's. */
export const tagOf = (name: string): string => new Map(Object.entries(tags)).get(name) ?? 'own';

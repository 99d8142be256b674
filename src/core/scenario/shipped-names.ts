// Written by `npm run docs`, from the files in `scenarios/`.
/** The name of a scenario that ships with the package. */
export type ShippedScenario =
  | 'archived-policies'
  | 'assistants-gone'
  | 'batch-failures'
  | 'default'
  | 'empty'
  | 'every-batch-status'
  | 'every-run-status'
  | 'in-flight'
  | 'large'
  | 'lenient-answers'
  | 'live'
  | 'locked-out'
  | 'many-pages-one-less'
  | 'many-pages-one-more'
  | 'many-pages'
  | 'one-page'
  | 'prompt-library'
  | 'strict-answers'
  | 'tied-timestamps'
  | 'training'
  | 'unicode';

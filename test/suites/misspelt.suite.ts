// Options as JavaScript may give them: each test fails at once.
import { describe } from 'vitest';
import { test } from '../../src/vitest.ts';

describe.for([
  ['unmatched', 'fial'],
  ['onUnhandledRequest', 'eror'],
  ['unusedFaults', 'eror'],
  ['strict', 'true'],
  ['requireSession', 'no'],
] as const)('%s', ([option, value]) => {
  test.override({ gatewayOptions: { [option]: value } });

  test(option, ({ gateway: _ }) => {});
});

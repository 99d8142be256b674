// How texts from outside are shown.
import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('http://localhost/__admin/')); // read as the module is loaded
const { isolate } = await import('./text.tsx');
afterAll(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['run_1', 'run_1'],
  ['a\u202Eb', '\u2068aU+202Eb\u2069'],
  ['no-break\u00A0space\u200B', '\u2068no-breakU+00A0spaceU+200B\u2069'],
  ['e\u0301', '\u2068eU+0301\u2069'],
  ['\u00E9 \u05D0', '\u2068\u00E9 \u05D0\u2069'],
])('%j is shown with each unseen character, and apart from the text around it', (given, shown) => {
  expect(isolate(given)).toBe(shown);
});

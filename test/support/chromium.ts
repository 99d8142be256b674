// The browser that the tests of a run share: each test has a context of its own, and closes it.
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

const endpoint = inject('browserEndpoint');

/** Whether the tests in a real browser can run here: `describe.skipIf(!hasChromium)`. */
export const hasChromium = endpoint !== null;

let browser: Promise<Browser> | undefined;

export const connectToChromium = (): Promise<Browser> => {
  browser ??= chromium.connect(endpoint ?? '');
  return browser;
};

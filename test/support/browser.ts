// Before the tests in a browser: one Chromium for all of them, or a word about which tests are left out.
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findChromium } from './find-chromium.ts';
import { reportMissing } from './missing-tool.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens; null where this machine has none. */
    readonly browserEndpoint: string | null;
  }
}

const args = [
  '--no-sandbox',
  // Otherwise a headless Chromium looks for hosts that do not exist in the tests.
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  // With this feature, which older versions lack, Chromium requests a module again after a failure.
  '--disable-blink-features=ModuleMapDoNotCacheFailedFetch',
  // With a process for each site, every page that a test opens starts one ahead for the next.
  '--disable-site-isolation-trials',
];

export default async ({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    reportMissing(
      'Chromium',
      'the tests in a real browser',
      'Install it (apt-get install chromium), or name one by GATEWAY_MOCK_CHROMIUM.',
    );
    provide('browserEndpoint', null);
    return undefined;
  }
  const server = await chromium.launchServer({ executablePath, args });
  provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
};

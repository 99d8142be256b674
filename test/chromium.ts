import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** Whether the tests in a real browser can run here: `describe.skipIf(!hasChromium)`. */
export const hasChromium = executablePath !== undefined;

if (!hasChromium)
  console.warn(
    'Left out: the tests in a real browser, because no Chromium is installed (apt-get install chromium).',
  );

/** Without these a headless Chromium looks for hosts that no test has. */
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
];

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath ?? '', args });

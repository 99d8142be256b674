// Before the tests in a browser: one Chromium for all of them, or a word about which tests are left out.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { reportMissing } from './missing-tool.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens; null where this machine has none. */
    readonly browserEndpoint: string | null;
  }
}

/** Where browsers of the Chromium kind are, by system. */
const usualPlaces = (): readonly string[] => {
  const { LOCALAPPDATA, ProgramFiles } = process.env;
  return (
    {
      linux: [
        '/usr/bin/chromium',
        '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome',
        '/snap/bin/chromium',
      ],
      darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      ),
      win32: [ProgramFiles, process.env['ProgramFiles(x86)'], LOCALAPPDATA]
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => [
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Chromium/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ]),
    }[process.platform as 'linux' | 'darwin' | 'win32'] ?? []
  ); // of another system none is known
};

/** The browser that `GATEWAY_MOCK_CHROMIUM` names, otherwise the first in the usual places. */
const findChromium = (): string | undefined => {
  const { GATEWAY_MOCK_CHROMIUM: named } = process.env;
  if (named === undefined) return usualPlaces().find((file) => existsSync(file));
  if (!existsSync(named)) throw new Error(`GATEWAY_MOCK_CHROMIUM names "${named}", which is not there.`);
  return named;
};

/** Without these a headless Chromium looks for hosts that no test has. */
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
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

// Where a browser of the Chromium kind is on this machine.
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Where such browsers usually are, by system. */
const usualPlaces = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] => {
  if (platform === 'linux')
    // The one without windows is quicker: it draws nothing that nobody looks at.
    return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
      .map((name) => posix.join('/usr/bin', name))
      .concat('/snap/bin/chromium');
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (platform === 'win32')
    return [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) =>
        [
          'Google/Chrome/Application/chrome.exe',
          'Chromium/Application/chrome.exe',
          'Microsoft/Edge/Application/msedge.exe',
        ].map((file) => win32.join(folder, file)),
      );
  return []; // of another system none is known
};

/** The browser that `GATEWAY_MOCK_CHROMIUM` names, otherwise the first in the usual places. */
export const findChromium = (
  env = process.env,
  platform = process.platform,
  exists: (file: string) => boolean = existsSync,
): string | undefined => {
  const { GATEWAY_MOCK_CHROMIUM: named } = env;
  if (named === undefined) return usualPlaces(platform, env).find(exists);
  if (!exists(named)) throw new Error(`GATEWAY_MOCK_CHROMIUM names "${named}", which is not there.`);
  return named;
};

// Before the first test: the build that tests of the command line and of the package start, apart from `dist/`.
import { bundle } from '../.config/bundle.js';

/** Below the project's root, so that what it imports is found. */
export const buildFolder = 'node_modules/.cache/gateway-mock-test';

export default async (): Promise<void> => {
  await bundle(buildFolder);
};

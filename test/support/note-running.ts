// Each worker notes the test that it begins, for the reporter of a run that hangs (.config/running-tests.js): at once, since
// nothing else leaves a worker in a loop.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where workers note what they run; not there where the run has other reporters. */
    readonly runningFolder?: string;
  }
}

const folder = inject('runningFolder');

if (folder !== undefined)
  beforeEach(({ task: { file, fullTestName } }) => {
    const running = { file: file.filepath, name: fullTestName };
    writeFileSync(join(folder, String(process.pid)), JSON.stringify(running));
  });
